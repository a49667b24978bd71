// Written by generate.mjs from the OpenAPI document; not to be changed by hand.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Always 200; `degraded` where jobs fail or wait too long, or the store does not answer, with `causes`.
         */
        get: operations["healthz_healthz_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters for Prometheus */
        get: operations["metrics_metrics_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can it answer?
         * @description Whether the store answers; `degraded`, but ready, where jobs fail or wait too long.
         */
        get: operations["readyz_readyz_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did or tried what, newest first */
        get: operations["audit_v1_audit_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the chain whole?
         * @description Keep `last_hash` elsewhere: a cut at the chain's end shows only against it.
         */
        get: operations["verify_audit_v1_audit_verify_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was erased
         * @description Oldest first; names in their scopes are hashes.
         */
        get: operations["certificates_v1_certificates_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/certificates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One certificate */
        get: operations["certificate_v1_certificates__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a model's memory commands
         * @description A wrong command is refused alone and named in `rejected`; a target that fits several memories is `ambiguous`.
         */
        post: operations["commands_v1_commands_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The block for a prompt
         * @description Ordered, inside the budget, fenced off from instructions; what was left out is named with its reason.
         */
        post: operations["context_v1_context_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Entities, newest first
         * @description The clocks are those of the facts that are counted.
         */
        get: operations["entities_v1_entities_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One entity
         * @description Followed through merges: the id of an entity that was merged away leads to the survivor.
         */
        get: operations["entity_v1_entities__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Episodes, newest first */
        get: operations["episodes_v1_episodes_get"];
        put?: never;
        /**
         * Keep what happened, and derive what follows
         * @description Each episode is stored raw before anything is derived from it; the same `external_id` again changes nothing.
         */
        post: operations["remember_v1_episodes_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The evidence itself */
        get: operations["episode_v1_episodes__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{id}/retract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back an episode as evidence
         * @description All that only this episode proves is taken back with it.
         */
        post: operations["retract_episode_v1_episodes__id__retract_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tenant's data as JSON Lines
         * @description What stands behind walls that the key does not see is left out. `known_at` leaves out what was heard of later. With `as_of` it
         *     is a picture: the facts in force then, with the entities and episodes behind them; no import takes it in.
         */
        get: operations["export_v1_export_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what would be derived
         * @description Candidates with quote, rule and confidence; nothing is stored.
         */
        post: operations["extract_v1_extract_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Facts, newest first
         * @description Without a `status` those in force at `as_of`.
         */
        get: operations["facts_v1_facts_get"];
        put?: never;
        /**
         * Hold structured facts true
         * @description No extraction, the same rules: a newer value of a single-valued relation ends the older one.
         */
        post: operations["assert_facts_v1_facts_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One fact
         * @description As it stands, or as it was known then; its status is the one at `as_of`.
         */
        get: operations["fact_v1_facts__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that a fact was told wrong, and what is right */
        post: operations["correct_v1_facts__id__correct_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that a fact is no longer so */
        post: operations["end_v1_facts__id__end_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every assertion and closing
         * @description How the fact came about: its versions, the rivals of its slot, all evidence, and the story they tell.
         */
        get: operations["history_v1_facts__id__history_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Always show it */
        post: operations["pin_v1_facts__id__pin_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a fact is not so
         * @description Telling it again does not bring it back; undoing the rejection does.
         */
        post: operations["reject_v1_facts__id__reject_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/retract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back the evidence of a fact
         * @description What it had closed opens again.
         */
        post: operations["retract_v1_facts__id__retract_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts/{id}/unpin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the pin off */
        post: operations["unpin_v1_facts__id__unpin_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide memories softly
         * @description Gone from every answer, kept for undo and audit.
         */
        post: operations["forget_v1_forget_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/neighbourhood": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is around some entities */
        get: operations["neighbourhood_v1_graph_neighbourhood_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graph/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How two entities hang together
         * @description The shortest chains of facts between them, shortest first.
         */
        get: operations["paths_v1_graph_paths_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Holds, oldest first */
        get: operations["holds_v1_holds_get"];
        put?: never;
        /** Forbid erasing */
        post: operations["hold_v1_holds_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a hold
         * @description Purges that waited for it run now.
         */
        delete: operations["release_v1_holds__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a hold
         * @description The same as `DELETE`, with a body for the reason: purges that waited for it run now.
         */
        post: operations["release_hold_v1_holds__id__release_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take in an export
         * @description Read line by line, so it may be longer than other bodies. The same lines again change nothing; what was purged here
         *     stays purged. At a broken line everything before it is kept.
         */
        post: operations["import__v1_import_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accepted work and its state */
        get: operations["jobs_v1_jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One job */
        get: operations["job_v1_jobs__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give up a job that waits */
        post: operations["cancel_job_v1_jobs__id__cancel_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a failed job again */
        post: operations["retry_job_v1_jobs__id__retry_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys, oldest first
         * @description Never their secrets.
         */
        get: operations["keys_v1_keys_get"];
        put?: never;
        /**
         * Make a key
         * @description The key is in this one answer and nowhere else. An admin makes keys of the own tenant only.
         */
        post: operations["create_key_v1_keys_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One key */
        get: operations["key_v1_keys__id__get"];
        put?: never;
        post?: never;
        /** Revoke a key at once */
        delete: operations["revoke_key_v1_keys__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new key for an old one
         * @description The old one goes on working for the overlap.
         */
        post: operations["rotate_key_v1_keys__id__rotate_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that entities are one
         * @description The first id stays; the others lead to it.
         */
        post: operations["merge_v1_merges_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a merge apart */
        delete: operations["unmerge_v1_merges__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merges/forbidden": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that two entities are never one */
        post: operations["forbid_merge_v1_merges_forbidden_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the own tenant's language model cost, by day
         * @description Newest day (UTC) first.
         */
        get: operations["own_model_use_v1_model_use_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ontology": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Types and relations in force */
        get: operations["ontology_v1_ontology_get"];
        /**
         * Lay types, relations and wordings over the base
         * @description Replaces the tenant's earlier declarations; timelines are computed anew.
         */
        put: operations["set_ontology_v1_ontology_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preferences and constraints */
        get: operations["preferences_v1_preferences_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase for good, with a certificate
         * @description What happened, and everything derived from it alone; it cannot be undone. A legal hold in the way is `held`.
         */
        post: operations["purge_v1_purge_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ranked memories for a question
         * @description Each hit says what its score is made of, over which path it was found, and which episodes prove it.
         */
        post: operations["recall_v1_recall_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The receipt of an earlier write */
        get: operations["receipt_v1_receipts__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back one write, whole */
        post: operations["undo_v1_receipts__id__undo_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a person should decide */
        get: operations["reviews_v1_reviews_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide it */
        post: operations["resolve_review_v1_reviews__id__post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The own tenant's settings
         * @description What is not named is as for all tenants.
         */
        get: operations["own_settings_v1_settings_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the own tenant's
         * @description From the next write on.
         */
        patch: operations["change_own_settings_v1_settings_patch"];
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Skills: procedures with their outcomes */
        get: operations["skills_v1_skills_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{id}/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether a skill worked
         * @description The list of skills tells the counts, in `attributes.outcomes`; undoing the receipt takes this one out again.
         */
        post: operations["record_outcome_v1_skills__id__outcomes_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tenants by name */
        get: operations["tenants_v1_tenants_get"];
        put?: never;
        /** Make a tenant */
        post: operations["make_tenant_v1_tenants_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One tenant */
        get: operations["tenant_v1_tenants__name__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a tenant's settings
         * @description From the tenant's next write on.
         */
        patch: operations["change_tenant_v1_tenants__name__patch"];
        trace?: never;
    };
    "/v1/tenants/{name}/model-use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a tenant's language model cost, by day
         * @description Counts and cost only, newest day (UTC) first; for an operator.
         */
        get: operations["tenant_model_use_v1_tenants__name__model_use_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why each hit, why not each near miss
         * @description The trace of an earlier recall or context, by its `trace_id`.
         */
        get: operations["explain_v1_traces__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An earlier answer given once more
         * @description Under its clocks and weights, over what is stored now; tells what differs.
         */
        get: operations["replay_v1_traces__id__replay_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}/why-not/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why not this memory
         * @description What stopped one memory from being a hit of an earlier answer: a filter, what took its place, its rank.
         */
        get: operations["why_not_in_trace_v1_traces__id__why_not__memory_id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat history into a budget
         * @description The oldest messages go first, system messages never; tool calls stay with their results.
         */
        post: operations["trim_messages_v1_trim_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is told
         * @description Oldest first, without secrets.
         */
        get: operations["webhooks_v1_webhooks_get"];
        put?: never;
        /**
         * Be told of what happens
         * @description Deliveries hold ids and counts, never memories. The secret is in this one answer and nowhere else.
         */
        post: operations["create_webhook_v1_webhooks_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook */
        get: operations["webhook_v1_webhooks__id__get"];
        put?: never;
        post?: never;
        /**
         * Tell no more
         * @description Deliveries that wait are not made any more.
         */
        delete: operations["delete_webhook_v1_webhooks__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/why-not": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Why not this memory, for a question
         * @description The same for a question that was not asked yet.
         */
        post: operations["why_not_v1_why_not_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AssertIn
         * @description Facts to hold true, at most 1,000.
         * @example {
         *       "facts": [
         *         {
         *           "confidence": 0.95,
         *           "object": {
         *             "name": "Globex",
         *             "type": "organization"
         *           },
         *           "relation": "works_for",
         *           "subject": {
         *             "name": "Ana Ruiz",
         *             "type": "person"
         *           },
         *           "valid_at": "2026-03-01T00:00:00Z"
         *         }
         *       ]
         *     }
         */
        AssertIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Facts
             * @description In the order in which they were told.
             */
            facts: components["schemas"]["FactIn"][];
        };
        /**
         * AssertionOut
         * @description One piece of evidence.
         */
        AssertionOut: {
            /**
             * Actor
             * @description Who did it: `key:` and the key's id, `oidc:` and a name, or what a program called itself.
             */
            actor: string;
            /**
             * Confidence
             * @description How sure the evidence is, above 0 and at most 1.
             */
            confidence: number;
            /**
             * Episode
             * @description Id of the episode; null where there is none.
             */
            episode: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Object
             * @description Id of the entity, or of the value, that is said of the subject.
             */
            object: string;
            /**
             * Quote
             * @description The words that say it.
             */
            quote: string;
            /**
             * Receipt
             * @description Id of the receipt of what it did.
             */
            receipt: string | null;
            /**
             * Recorded At
             * @description When memory heard of it.
             */
            recorded_at: string | null;
            /**
             * Relation
             * @description Name of the relation.
             */
            relation: string;
            /**
             * Rule
             * @description Id of the rule that decided.
             */
            rule: string;
            /**
             * Says
             * @description Whether it tells that something holds, ended, was told wrong, is not so, or holds once more.
             * @enum {string}
             */
            says: "holds" | "ended" | "corrected" | "rejected" | "restated";
            /**
             * Subject
             * @description Id of the entity that it is about.
             */
            subject: string;
            /**
             * Text
             * @description The words.
             */
            text: string;
            /**
             * Told At
             * @description When it was said.
             */
            told_at: string | null;
            /**
             * Valid From
             * @description Since when, as it was told.
             */
            valid_from: string | null;
            /**
             * Valid To
             * @description Until when, as it was told.
             */
            valid_to: string | null;
            /**
             * Withdrawn At
             * @description When it was taken back; null where it counts.
             */
            withdrawn_at: string | null;
        };
        /**
         * AuditCheckOut
         * @description Whether the audit chain is whole.
         */
        AuditCheckOut: {
            /**
             * Broken At
             * @description Number of the first entry that does not fit.
             */
            broken_at: number | null;
            /**
             * Entries
             * @description How many fit.
             */
            entries: number;
            /**
             * Last Hash
             * @description Of the last entry: keep it elsewhere, a cut at the end shows only against it.
             */
            last_hash: string;
            /**
             * Ok
             * @description Whether all of them fit.
             */
            ok: boolean;
            /**
             * Reason
             * @description What does not fit.
             */
            reason: string | null;
        };
        /**
         * AuditEntryOut
         * @description Who did or tried what.
         */
        AuditEntryOut: {
            /**
             * Actor
             * @description Who did it: `key:` and the key's id, `oidc:` and a name, or what a program called itself.
             */
            actor: string;
            /**
             * At
             * @description When.
             */
            at: string | null;
            /**
             * Detail
             * @description Counts and ids; never a memory's text.
             */
            detail: {
                [key: string]: unknown;
            };
            /**
             * Hash
             * @description Covers the entry and the hash of the one before.
             */
            hash: string;
            /**
             * Ids
             * @description What it is about.
             */
            ids: string[];
            /**
             * Outcome
             * @description Done, refused, or failed.
             * @enum {string}
             */
            outcome: "done" | "refused" | "failed";
            /**
             * Previous
             * @description Hash of the entry before.
             */
            previous: string;
            /**
             * Seq
             * @description Its number in the chain, from 1.
             */
            seq: number;
            /**
             * Verb
             * @description What was asked for.
             */
            verb: string;
        };
        /**
         * AuditOut
         * @description A page of the audit chain.
         */
        AuditOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["AuditEntryOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * BecauseOut
         * @description Why something changed.
         */
        BecauseOut: {
            /**
             * By
             * @description Memories that caused it.
             */
            by: string[];
            /**
             * Evidence
             * @description Episodes that prove it.
             */
            evidence: string[];
            /**
             * Rule
             * @description Id of the rule that decided.
             */
            rule: string;
        };
        /**
         * CandidateOut
         * @description Something that a text seems to say, with the words that say it.
         */
        CandidateOut: {
            /**
             * Assertion
             * @description Whether the text says that it holds, ended, was told wrong, or is not so.
             * @enum {string}
             */
            assertion: "holds" | "ended" | "corrected" | "rejected";
            /**
             * Attributes
             * @description What else is known of it, by name.
             */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Confidence
             * @description How sure it is, above 0 and at most 1.
             */
            confidence: number;
            /**
             * End
             * @description Where it ends in the text, in characters; -1 where unknown.
             */
            end: number;
            /**
             * Episode
             * @description Id of the episode; null where there is none.
             */
            episode: string;
            /**
             * Invalid At
             * @description Until when, that moment excluded; null where it goes on.
             */
            invalid_at: string | null;
            /**
             * Kind
             * @description What sort of thing it would be.
             * @enum {string}
             */
            kind: "entity" | "fact" | "preference" | "skill" | "event";
            /**
             * Object
             * @description What is said of the subject, by name or as a value.
             */
            object: {
                [key: string]: unknown;
            } | null;
            /**
             * Relation
             * @description Name of the relation.
             */
            relation: string | null;
            /**
             * Rule
             * @description Id of the rule that decided.
             */
            rule: string;
            /**
             * Start
             * @description Where it begins in the text, in characters; -1 where unknown.
             */
            start: number;
            /**
             * Subject
             * @description What it is about, by name.
             */
            subject: {
                [key: string]: unknown;
            } | null;
            /**
             * Text
             * @description The words that say it.
             */
            text: string;
            /**
             * Type
             * @description Its type in the ontology.
             */
            type: string | null;
            /**
             * Valid At
             * @description Since when it is true; null where nobody told.
             */
            valid_at: string | null;
        };
        /**
         * CertificateOut
         * @description That it is gone.
         */
        CertificateOut: {
            /**
             * Actor
             * @description Who did it: `key:` and the key's id, `oidc:` and a name, or what a program called itself.
             */
            actor: string;
            /**
             * At
             * @description When.
             */
            at: string | null;
            /**
             * Counts
             * @description Rows that are gone, by kind.
             */
            counts: {
                [key: string]: number;
            };
            /**
             * Derived
             * @description What went because what it derived from went.
             */
            derived: string[];
            /**
             * Digest
             * @description A hash of all of it.
             */
            digest: string;
            /**
             * Dry Run
             * @description Whether it was only tried: then nothing was written.
             */
            dry_run: boolean;
            /**
             * Held
             * @description What a legal hold kept.
             */
            held: string[];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kept
             * @description Facts that stayed on other evidence.
             */
            kept: number;
            /**
             * Reason
             * @description Why, as whoever erased it said.
             */
            reason: string;
            /**
             * Remaining
             * @description How many of them a second look found: 0.
             */
            remaining: number;
            /**
             * Scope
             * @description As it is kept: ids as they are, names as hashes.
             */
            scope: {
                [key: string]: unknown;
            };
            /**
             * Scrubbed
             * @description Whether the files no longer have the bytes either.
             */
            scrubbed: boolean;
        };
        /**
         * CertificatesOut
         * @description A page of certificates, the newest first.
         */
        CertificatesOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["CertificateOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * ChangeOut
         * @description One thing that a write changed.
         */
        ChangeOut: {
            /**
             * Action
             * @description What happened to it.
             * @enum {string}
             */
            action: "created" | "closed" | "reopened" | "merged" | "updated" | "archived" | "erased";
            /** @description Why: the rule, what caused it, and the evidence. */
            because: components["schemas"]["BecauseOut"];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kind
             * @description entity, fact, preference, skill, summary or episode.
             */
            kind: string;
        };
        /**
         * ChoiceIn
         * @description How a review is decided.
         * @example {
         *       "choice": "f_1",
         *       "reason": "checked with the customer"
         *     }
         */
        ChoiceIn: {
            /**
             * Choice
             * @description One of the review's choices.
             */
            choice: string;
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
        };
        /**
         * ChoiceOut
         * @description One way to decide.
         */
        ChoiceOut: {
            /**
             * Choice
             * @description What to send.
             */
            choice: string;
            /**
             * Effect
             * @description What that would do.
             */
            effect: string;
        };
        /**
         * CommandIn
         * @description One memory command of a language model.
         */
        CommandIn: {
            /**
             * Content
             * @description What is to be held.
             */
            content?: string | {
                [key: string]: unknown;
            } | null;
            /**
             * Expires At
             * @description Until when it counts.
             */
            expires_at?: string | null;
            /**
             * Importance
             * @description How much it matters: 1 hardly, 5 most.
             */
            importance?: number | null;
            /**
             * Metadata
             * @description Any JSON object; it comes back as given.
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Op
             * @description What to do.
             * @enum {string}
             */
            op: "create" | "update" | "delete";
            /**
             * Target
             * @description Content hash or id of what an update or delete means.
             */
            target?: string | null;
            /**
             * Type
             * @description What sort of thing `content` is.
             * @enum {string}
             */
            type: "preference" | "fact" | "constraint" | "skill" | "event";
        };
        /**
         * CommandsIn
         * @description A model's memory commands: checked like any other input, and refused one by one where they are wrong.
         * @example {
         *       "memory_commands": [
         *         {
         *           "content": "Prefers calls before noon.",
         *           "importance": 4,
         *           "op": "create",
         *           "type": "preference"
         *         }
         *       ],
         *       "subject": {
         *         "name": "Ana Ruiz"
         *       }
         *     }
         */
        CommandsIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Evidence
             * @description Ids of the episodes that prove it.
             */
            evidence?: string[] | null;
            /**
             * Memory Commands
             * @description As the model wrote them.
             */
            memory_commands: (components["schemas"]["CommandIn"] | {
                [key: string]: unknown;
            })[];
            /** @description Whose memory it is. */
            scope?: components["schemas"]["ScopeIn"] | null;
            /** @description Whom the commands are about. */
            subject?: components["schemas"]["EndIn"] | null;
        };
        /**
         * ContextIn
         * @description A question whose answer goes into a prompt.
         * @example {
         *       "budget_tokens": 600,
         *       "query": "Prepare my call with Ana Ruiz"
         *     }
         */
        ContextIn: {
            /**
             * As Of
             * @description Answer as the world was then; now where absent.
             */
            as_of?: string | null;
            /**
             * Asked At
             * @description The asker's clock, to read 'last Tuesday' by; it filters nothing.
             */
            asked_at?: string | null;
            /**
             * Budget Tokens
             * @description The block is never longer.
             * @default 900
             */
            budget_tokens?: number;
            /**
             * Hops
             * @description How far the graph is walked.
             * @default 2
             */
            hops?: number;
            /**
             * Include Archived
             * @description Also what was put away.
             * @default false
             */
            include_archived?: boolean;
            /**
             * Include Superseded
             * @description Also what held before or will hold later, marked so.
             * @default false
             */
            include_superseded?: boolean;
            /**
             * Kinds
             * @description Only these kinds of memory; entities are hits only where they are named here.
             */
            kinds?: ("fact" | "episode" | "preference" | "skill" | "summary" | "entity")[] | null;
            /**
             * Known At
             * @description Answer from what was recorded by then; now where absent.
             */
            known_at?: string | null;
            /**
             * Limit
             * @description How many hits at most.
             * @default 10
             */
            limit?: number;
            /**
             * Messages
             * @description The conversation so far.
             */
            messages?: components["schemas"]["MessageIn"][] | null;
            /**
             * Min Importance
             * @description Only memories that matter at least so much: 1 to 5.
             */
            min_importance?: number | null;
            /**
             * Query
             * @description The question, at most 8,000 characters.
             */
            query: string;
            /**
             * Read Time Words
             * @description Whether 'in March' in the question is read as a time.
             * @default true
             */
            read_time_words?: boolean;
            /**
             * Relations
             * @description Only facts of these relations.
             */
            relations?: string[] | null;
            /** @description Who asks: user, agent, session. */
            scope?: components["schemas"]["ScopeIn"] | null;
            /**
             * Sections
             * @description Only these sections.
             */
            sections?: ("constraints" | "preferences" | "facts" | "events" | "skills" | "knowledge")[] | null;
            /**
             * Speaker
             * @description Name of who asks, to read 'I' and 'my' by.
             */
            speaker?: string | null;
            /**
             * Types
             * @description Only facts that touch an entity of these types.
             */
            types?: string[] | null;
        };
        /**
         * ContextItemOut
         * @description One memory of the block.
         */
        ContextItemOut: {
            /**
             * Date
             * @description When it happened, or since when it is true.
             */
            date: string | null;
            /**
             * Id
             * @description Of the memory.
             */
            id: string;
            /**
             * Shortened
             * @description Whether it was cut to fit.
             */
            shortened: boolean;
            /**
             * Source
             * @description Where it comes from.
             */
            source: string;
            /**
             * Text
             * @description As the block says it.
             */
            text: string;
        };
        /**
         * ContextOut
         * @description The block for the prompt: fenced text, and what it is made of.
         */
        ContextOut: {
            /**
             * Degraded
             * @description What works less well than it could, in plain words.
             */
            degraded: string[];
            /**
             * Empty
             * @description Of a block that holds nothing: what was looked at, or left out.
             */
            empty: string | null;
            /**
             * Omitted
             * @description What was nearly shown, and why it is not.
             */
            omitted: components["schemas"]["OmittedOut"][];
            /**
             * Sections
             * @description What the block is made of, in its order.
             */
            sections: components["schemas"]["ContextSectionOut"][];
            /**
             * Text
             * @description The block, fenced off as data.
             */
            text: string;
            /**
             * Tokens
             * @description How long it is, in tokens.
             */
            tokens: number;
            /**
             * Trace Id
             * @description For `explain`: why each hit, why not each near miss.
             */
            trace_id: string | null;
        };
        /**
         * ContextSectionOut
         * @description One section of the block.
         */
        ContextSectionOut: {
            /**
             * Items
             * @description In the order of the block.
             */
            items: components["schemas"]["ContextItemOut"][];
            /**
             * Name
             * @description Its name.
             * @enum {string}
             */
            name: "constraints" | "preferences" | "facts" | "events" | "skills" | "knowledge";
            /**
             * Tokens
             * @description How long it is, in tokens.
             */
            tokens: number;
        };
        /**
         * CorrectIn
         * @description What is right; what is absent stays.
         * @example {
         *       "object": {
         *         "name": "Initech"
         *       },
         *       "reason": "a slip"
         *     }
         */
        CorrectIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Invalid At
             * @description Until when, that moment excluded.
             */
            invalid_at?: string | null;
            /**
             * Object
             * @description What is right; a bare string is a name.
             */
            object?: components["schemas"]["EndIn"] | string | null;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
            /**
             * Text
             * @description The sentence that says it.
             */
            text?: string | null;
            /**
             * Valid At
             * @description Since when it is true.
             */
            valid_at?: string | null;
        };
        /**
         * DayOfUseOut
         * @description What a language model cost on one day.
         */
        DayOfUseOut: {
            /**
             * Calls
             * @description How often it was asked.
             */
            calls: number;
            /**
             * Cost
             * @description In the currency of the configured prices; 0 where none are.
             */
            cost: number;
            /**
             * Day
             * @description The day, in UTC.
             */
            day: string;
            /**
             * Failed Calls
             * @description No answer came.
             */
            failed_calls: number;
            /**
             * Rejected Answers
             * @description Of the wrong shape twice.
             */
            rejected_answers: number;
            /**
             * Rejected Statements
             * @description Without a quote in the text, or of things that it does not name.
             */
            rejected_statements: number;
            /**
             * Repaired Answers
             * @description Of the wrong shape, and right when asked once more.
             */
            repaired_answers: number;
            /**
             * Set Aside Tokens
             * @description Of calls under way, or whose process died.
             */
            set_aside_tokens: number;
            /**
             * Tokens In
             * @description Of the questions.
             */
            tokens_in: number;
            /**
             * Tokens Out
             * @description Of the answers.
             */
            tokens_out: number;
        };
        /**
         * EndFactIn
         * @description Since when a fact is over.
         * @example {
         *       "at": "2026-05-01T00:00:00Z",
         *       "reason": "moved on"
         *     }
         */
        EndFactIn: {
            /**
             * At
             * @description Since when it is no longer so; now where absent.
             */
            at?: string | null;
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
        };
        /**
         * EndIn
         * @description One end of a fact: a name with an optional type, or the id of an entity; an object may be a value.
         */
        EndIn: {
            /**
             * Id
             * @description Id of an entity.
             */
            id?: string | null;
            /**
             * Identifiers
             * @description Strong ones, as kind:value: what has the same is the same thing.
             */
            identifiers?: string[] | null;
            /**
             * Name
             * @description Any spelling of its name.
             */
            name?: string | null;
            /**
             * Type
             * @description A type of the ontology, such as person or organization.
             */
            type?: string | null;
            /**
             * Value
             * @description A literal: an amount, a date, a text; 99 and 99.0 are one.
             */
            value?: string | number | boolean | null;
        } | unknown | unknown | unknown;
        /**
         * EntitiesOut
         * @description A page of entities.
         */
        EntitiesOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["EntityOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * EntityOut
         * @description What something is that facts are about, and how much is known of it.
         */
        EntityOut: {
            /**
             * Aliases
             * @description Every spelling that means it.
             */
            aliases: string[];
            /**
             * Archived
             * @description Whether it was put away: in no answer unless asked for.
             */
            archived: boolean;
            /**
             * Attributes
             * @description What else is known of it, by name.
             */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Facts
             * @description How many current facts touch it.
             */
            facts: number;
            /**
             * First Seen
             * @description When an episode first named it.
             */
            first_seen: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Identifiers
             * @description Strong ones, as kind:value.
             */
            identifiers: string[];
            /**
             * Last Seen
             * @description When an episode last named it.
             */
            last_seen: string | null;
            /**
             * Merged Into
             * @description The entity that stands for it now; null for itself.
             */
            merged_into: string | null;
            /**
             * Name
             * @description Its name.
             */
            name: string;
            /** @description Whose memory it is: user, agent, session; each null is shared. */
            scope: components["schemas"]["ScopeOut"];
            /**
             * Summary
             * @description A few words about it.
             */
            summary: string;
            /**
             * Type
             * @description Its type in the ontology.
             */
            type: string;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             */
            wall: string;
        };
        /**
         * EntityRecordOut
         * @description What something is that facts are about.
         */
        EntityRecordOut: {
            /**
             * Aliases
             * @description Every spelling that means it.
             */
            aliases: string[];
            /**
             * Archived
             * @description Whether it was put away: in no answer unless asked for.
             */
            archived: boolean;
            /**
             * Attributes
             * @description What else is known of it, by name.
             */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Identifiers
             * @description Strong ones, as kind:value.
             */
            identifiers: string[];
            /**
             * Merged Into
             * @description The entity that stands for it now; null for itself.
             */
            merged_into: string | null;
            /**
             * Name
             * @description Its name.
             */
            name: string;
            /** @description Whose memory it is: user, agent, session; each null is shared. */
            scope: components["schemas"]["ScopeOut"];
            /**
             * Summary
             * @description A few words about it.
             */
            summary: string;
            /**
             * Type
             * @description Its type in the ontology.
             */
            type: string;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             */
            wall: string;
        };
        /**
         * EntityRefOut
         * @description An entity by id, name and type.
         */
        EntityRefOut: {
            /**
             * Id
             * @description Its id; null for a literal value.
             */
            id: string;
            /**
             * Name
             * @description Its name.
             */
            name: string;
            /**
             * Type
             * @description Its type in the ontology.
             */
            type: string;
        };
        /**
         * EpisodeIn
         * @description One thing that happened, kept raw: the evidence.
         * @example {
         *       "external_id": "crm-note-881",
         *       "kind": "note",
         *       "metadata": {
         *         "channel": "phone"
         *       },
         *       "occurred_at": "2026-03-02T10:15:00+01:00",
         *       "speaker": "Tom Berg",
         *       "text": "Ana Ruiz now works for Globex as head of purchasing.",
         *       "title": "Call with Ana Ruiz"
         *     }
         */
        EpisodeIn: {
            /**
             * External Id
             * @description Your own id for it; the same one again is the same episode.
             */
            external_id?: string | null;
            /**
             * Importance
             * @description How much it matters: 1 hardly, 5 most.
             */
            importance?: number | null;
            /**
             * Kind
             * @description What kind of thing it is.
             * @default message
             * @enum {string}
             */
            kind?: "message" | "document" | "note" | "event" | "tool";
            /**
             * Lang
             * @description Language tag; found out where absent.
             */
            lang?: string | null;
            /**
             * Metadata
             * @description Any JSON object; it comes back as given.
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Occurred At
             * Format: date-time
             * @description When it was said or happened.
             * @example 2026-03-01T09:00:00+01:00
             */
            occurred_at: string;
            /**
             * Recorded At
             * @description When it was first heard of, for imports of old records; now where absent.
             */
            recorded_at?: string | null;
            /** @description Whose memory it is. */
            scope?: components["schemas"]["ScopeIn"] | null;
            /**
             * Source
             * @description Where it comes from, such as a file or a system.
             */
            source?: string | null;
            /**
             * Speaker
             * @description Who said or wrote it.
             */
            speaker?: string | null;
            /**
             * Text
             * @description The words themselves, at most 200,000 characters.
             */
            text: string;
            /**
             * Thread
             * @description Groups episodes that belong together, such as a mail thread; hides nothing.
             */
            thread?: string | null;
            /**
             * Title
             * @description What it is about; names in it count as its subject.
             */
            title?: string | null;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             * @default
             */
            wall?: string;
        };
        /**
         * EpisodeOut
         * @description The evidence itself.
         */
        EpisodeOut: {
            /**
             * Archived
             * @description Whether it was put away: in no answer unless asked for.
             */
            archived: boolean;
            /**
             * Degraded
             * @description What was not at hand, in plain words.
             */
            degraded: string[];
            /**
             * External Id
             * @description Your own id of it.
             */
            external_id: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Importance
             * @description How much it matters: 1 hardly, 5 most.
             */
            importance: number;
            /**
             * Kind
             * @description What sort of memory it is.
             */
            kind: string;
            /**
             * Lang
             * @description Language tag.
             */
            lang: string | null;
            /**
             * Metadata
             * @description Any JSON object; it comes back as given.
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Occurred At
             * @description When it was said or happened.
             */
            occurred_at: string | null;
            /**
             * Pinned
             * @description Whether it is always shown.
             */
            pinned: boolean;
            /**
             * Position
             * @description Its place in its thread, from 0.
             */
            position: number;
            /**
             * Recorded At
             * @description When memory heard of it.
             */
            recorded_at: string | null;
            /** @description Whose memory it is: user, agent, session; each null is shared. */
            scope: components["schemas"]["ScopeOut"];
            /**
             * Source
             * @description Where it comes from.
             */
            source: string | null;
            /**
             * Speaker
             * @description Who said or wrote it.
             */
            speaker: string | null;
            /**
             * Text
             * @description The words.
             */
            text: string;
            /**
             * Thread
             * @description What it belongs together with, such as a mail thread.
             */
            thread: string | null;
            /**
             * Title
             * @description What it is about, as it was headed.
             */
            title: string | null;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             */
            wall: string;
        };
        /**
         * EpisodesOut
         * @description A page of episodes.
         */
        EpisodesOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["EpisodeOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * EpisodeStatusOut
         * @description What became of one episode.
         */
        EpisodeStatusOut: {
            /**
             * External Id
             * @description Your own id of it.
             */
            external_id: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Status
             * @description Whether it is new or was there already.
             * @enum {string}
             */
            status: "created" | "exists";
        };
        /**
         * EraseScopeIn
         * @description What is meant: exactly one of the fields, and `wall` beside it to narrow it.
         */
        EraseScopeIn: {
            /**
             * Agent
             * @description All of an agent's memory.
             */
            agent?: string | null;
            /**
             * Episode
             * @description Id of an episode.
             */
            episode?: string | null;
            /**
             * External Id
             * @description Your own id of an episode.
             */
            external_id?: string | null;
            /**
             * Fact
             * @description Id of a fact.
             */
            fact?: string | null;
            /**
             * Session
             * @description All of one session.
             */
            session?: string | null;
            /**
             * Subject
             * @description Name or id of an entity.
             */
            subject?: string | components["schemas"]["SubjectIn"] | null;
            /**
             * Tenant
             * @description true: all of the tenant.
             * @constant
             */
            tenant?: true;
            /**
             * User
             * @description All of a user's memory.
             */
            user?: string | null;
            /**
             * Wall
             * @description A closed area; alone, all that stands in it.
             */
            wall?: string | null;
        };
        /**
         * EvidenceOut
         * @description Where a memory is told; the place of the quote in the episode's text with `records`, -1 where unknown.
         */
        EvidenceOut: {
            /**
             * End
             * @description Where it ends in the text, in characters; -1 where unknown.
             * @default -1
             */
            end?: number;
            /**
             * Episode
             * @description Id of the episode; null where there is none.
             */
            episode: string;
            /**
             * Quote
             * @description The words that say it.
             */
            quote: string;
            /**
             * Start
             * @description Where it begins in the text, in characters; -1 where unknown.
             * @default -1
             */
            start?: number;
        };
        /**
         * ExtractIn
         * @description Episodes to look through; nothing is stored.
         * @example {
         *       "episodes": [
         *         {
         *           "external_id": "crm-note-881",
         *           "kind": "note",
         *           "metadata": {
         *             "channel": "phone"
         *           },
         *           "occurred_at": "2026-03-02T10:15:00+01:00",
         *           "speaker": "Tom Berg",
         *           "text": "Ana Ruiz now works for Globex as head of purchasing.",
         *           "title": "Call with Ana Ruiz"
         *         }
         *       ]
         *     }
         */
        ExtractIn: {
            /**
             * Episodes
             * @description In the order in which they happened.
             */
            episodes: components["schemas"]["EpisodeIn"][];
        };
        /**
         * ExtractOut
         * @description What texts seem to say.
         */
        ExtractOut: {
            /**
             * Candidates
             * @description In the order of the texts.
             */
            candidates: components["schemas"]["CandidateOut"][];
            /**
             * Degraded
             * @description What was not at hand, in plain words.
             */
            degraded: string[];
        };
        /**
         * FactIn
         * @description A structured fact; nothing is extracted.
         * @example {
         *       "confidence": 0.95,
         *       "object": {
         *         "name": "Globex",
         *         "type": "organization"
         *       },
         *       "relation": "works_for",
         *       "subject": {
         *         "name": "Ana Ruiz",
         *         "type": "person"
         *       },
         *       "valid_at": "2026-03-01T00:00:00Z"
         *     }
         */
        FactIn: {
            /**
             * Confidence
             * @description Above 0, at most 1.
             */
            confidence?: number | null;
            /**
             * Evidence
             * @description Ids of the episodes that prove it.
             */
            evidence?: string[] | null;
            /**
             * Importance
             * @description How much it matters: 1 hardly, 5 most.
             */
            importance?: number | null;
            /**
             * Invalid At
             * @description Until when, that moment excluded.
             */
            invalid_at?: string | null;
            /**
             * Object
             * @description What is said of it; a bare string is a name.
             */
            object: components["schemas"]["EndIn"] | string;
            /**
             * Relation
             * @description Name or wording of a relation.
             */
            relation: string;
            /** @description Whose memory it is. */
            scope?: components["schemas"]["ScopeIn"] | null;
            /**
             * Subject
             * @description What the fact is about; a bare string is a name.
             */
            subject: components["schemas"]["EndIn"] | string;
            /**
             * Text
             * @description The sentence that says it; made from the parts where absent.
             */
            text?: string | null;
            /**
             * Valid At
             * @description Since when it is true.
             */
            valid_at?: string | null;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             * @default
             */
            wall?: string;
        };
        /**
         * FactOut
         * @description A fact, preference or skill, with its interval and its status.
         */
        FactOut: {
            /**
             * Attributes
             * @description What else is known of it, by name.
             */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Closed By
             * @description Id of the rule that ended it.
             */
            closed_by: string | null;
            /**
             * Confidence
             * @description How sure it is, above 0 and at most 1.
             */
            confidence: number;
            /**
             * Conflicts With
             * @description Ids of facts that cannot hold beside it; a review decides.
             */
            conflicts_with: string[];
            /**
             * Created At
             * @description When this version became known.
             */
            created_at: string | null;
            /**
             * Evidence
             * @description Where it is told: episodes, and the words in them.
             */
            evidence: components["schemas"]["QuoteOut"][];
            /**
             * Expired At
             * @description When another version took its place.
             */
            expired_at: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Importance
             * @description How much it matters: 1 hardly, 5 most.
             */
            importance: number;
            /**
             * Invalid At
             * @description Until when, that moment excluded.
             */
            invalid_at: string | null;
            /**
             * Kind
             * @description Fact, preference or skill.
             * @enum {string}
             */
            kind: "fact" | "preference" | "skill";
            /**
             * Object
             * @description What is said of the subject: an entity, or a literal value.
             */
            object: components["schemas"]["EntityRefOut"] | {
                [key: string]: unknown;
            };
            /**
             * Pinned
             * @description Whether it is always shown.
             */
            pinned: boolean;
            /**
             * Relation
             * @description Name of the relation.
             */
            relation: string;
            /** @description Whose memory it is: user, agent, session; each null is shared. */
            scope: components["schemas"]["ScopeOut"];
            /**
             * Status
             * @description What it is at the moment asked about.
             * @enum {string}
             */
            status: "current" | "future" | "ended" | "superseded" | "rejected" | "archived";
            /** @description What it is about. */
            subject: components["schemas"]["EntityRefOut"];
            /**
             * Superseded By
             * @description Id of the fact that took its place.
             */
            superseded_by: string | null;
            /**
             * Text
             * @description The words.
             */
            text: string;
            /**
             * Valid At
             * @description Since when it is true; null where nobody told.
             */
            valid_at: string | null;
            /**
             * Version
             * @description Which version of the fact this is, from 1.
             */
            version: number;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             */
            wall: string;
        };
        /**
         * FactsOut
         * @description A page of facts.
         */
        FactsOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["FactOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * ForbidMergeIn
         * @description Two entities that are not one.
         * @example {
         *       "a": "n_1",
         *       "b": "n_2",
         *       "reason": "father and son"
         *     }
         */
        ForbidMergeIn: {
            /**
             * A
             * @description Id of an entity.
             */
            a: string;
            /**
             * B
             * @description Id of the other.
             */
            b: string;
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
        };
        /**
         * ForgetIn
         * @description What is to be hidden.
         * @example {
         *       "ids": [
         *         "e_1"
         *       ],
         *       "reason": "sent by mistake"
         *     }
         */
        ForgetIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Ids
             * @description Ids of episodes, facts, preferences or skills.
             */
            ids: string[];
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
        };
        /**
         * HistoryOut
         * @description How a fact came about.
         */
        HistoryOut: {
            /**
             * Assertions
             * @description Every piece of evidence, the oldest first, what was taken back among it.
             */
            assertions: components["schemas"]["AssertionOut"][];
            /** @description As it stands. */
            fact: components["schemas"]["FactOut"];
            /**
             * Rivals
             * @description Other values of the same slot.
             */
            rivals: components["schemas"]["FactOut"][];
            /**
             * Story
             * @description What happened, the oldest first, as sentences.
             */
            story: components["schemas"]["StoryLineOut"][];
            /**
             * Versions
             * @description How it was told, the oldest version first.
             */
            versions: components["schemas"]["FactOut"][];
        };
        /**
         * HitOut
         * @description A memory found for the question, and why.
         */
        HitOut: {
            /**
             * Copies
             * @description With `records`: memories with nearly the same words.
             * @default 0
             */
            copies?: number;
            /**
             * Evidence
             * @description Where it is told: episodes, and the words in them.
             */
            evidence: components["schemas"]["EvidenceOut"][];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Invalid At
             * @description Until when, that moment excluded; null where it goes on.
             */
            invalid_at: string | null;
            /**
             * Kind
             * @description What sort of memory it is.
             * @enum {string}
             */
            kind: "fact" | "episode" | "preference" | "skill" | "summary" | "entity";
            /**
             * Memory
             * @description With `records`: the record itself.
             */
            memory?: components["schemas"]["EpisodeOut"] | components["schemas"]["FactOut"] | components["schemas"]["SummaryOut"] | components["schemas"]["EntityRecordOut"] | null;
            /**
             * Occurred At
             * @description When it was said or happened.
             */
            occurred_at: string | null;
            /**
             * Parts
             * @description What the score is made of: always dense, lexical, graph, recency, importance and use, and what else counts.
             */
            parts: {
                [key: string]: number;
            };
            /**
             * Path
             * @description From an entity of the question to this memory.
             */
            path: components["schemas"]["StepOut"][];
            /**
             * Score
             * @description Sum of the parts; compares within one answer only.
             */
            score: number;
            /**
             * Status
             * @description What it is at the moment asked about.
             */
            status: string;
            /**
             * Superseded
             * @description Whether a newer value took its place.
             */
            superseded: boolean;
            /**
             * Text
             * @description The words.
             */
            text: string;
            /**
             * Valid At
             * @description Since when it is true; null where nobody told.
             */
            valid_at: string | null;
        };
        /**
         * HoldIn
         * @description What must not be erased, and on what ground.
         * @example {
         *       "reason": "case 44/26",
         *       "scope": {
         *         "episode": "e_1"
         *       }
         *     }
         */
        HoldIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason: string;
            /** @description What must not be erased. */
            scope: components["schemas"]["EraseScopeIn"];
        };
        /**
         * HoldOut
         * @description A legal hold.
         */
        HoldOut: {
            /**
             * Actor
             * @description Who did it: `key:` and the key's id, `oidc:` and a name, or what a program called itself.
             */
            actor: string;
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Dry Run
             * @description Whether it was only tried: then nothing was written.
             */
            dry_run: boolean;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Reason
             * @description On what ground.
             */
            reason: string;
            /**
             * Released At
             * @description When it ended; null while it holds.
             */
            released_at: string | null;
            /**
             * Released By
             * @description Who ended it.
             */
            released_by: string | null;
            /**
             * Scope
             * @description What must not be erased.
             */
            scope: {
                [key: string]: unknown;
            };
        };
        /**
         * HoldsOut
         * @description A page of holds.
         */
        HoldsOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["HoldOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * ImportedOut
         * @description What an import did, by sort of record.
         */
        ImportedOut: {
            /**
             * Complete
             * @description Whether the end of the file was there and counted right.
             */
            complete: boolean;
            /**
             * Created
             * @description How many are new, by sort of record.
             */
            created: {
                [key: string]: number;
            };
            /**
             * Dry Run
             * @description Whether it was only tried: then nothing was written.
             */
            dry_run: boolean;
            /**
             * Existed
             * @description How many were there already.
             */
            existed: {
                [key: string]: number;
            };
            /**
             * Lines
             * @description How many were read.
             */
            lines: number;
            /**
             * Receipts
             * @description Ids of the receipts of what was written.
             */
            receipts: string[];
            /**
             * Refused
             * @description Erased here before, and so not taken in again.
             */
            refused: {
                [key: string]: number;
            };
            /**
             * Rejected
             * @description Inputs that were not taken, each with its reason.
             */
            rejected: components["schemas"]["RejectedOut"][];
        };
        /**
         * JobOut
         * @description Accepted work.
         */
        JobOut: {
            /**
             * Attempts
             * @description How often it was tried.
             */
            attempts: number;
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kind
             * @description What is to be done.
             */
            kind: string;
            /**
             * Reason
             * @description Why it failed; null where it did not.
             */
            reason: string | null;
            /**
             * Receipt
             * @description Id of the receipt of what it did; null until it is done.
             */
            receipt: string | null;
            /**
             * State
             * @description How far it is.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "cancelled";
            /**
             * Token
             * @description For `X-Muniment-Read-After`: a read with it sees what the job makes.
             */
            token: string;
            /**
             * Updated At
             * @description When it last changed (RFC 3339).
             */
            updated_at: string | null;
        };
        /**
         * JobsOut
         * @description A page of jobs.
         */
        JobsOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["JobOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * KeyIn
         * @description What the key is to allow.
         * @example {
         *       "name": "support bot",
         *       "role": "reader"
         *     }
         */
        KeyIn: {
            /**
             * Expires At
             * @description When it ends by itself; never where absent.
             */
            expires_at?: string | null;
            /**
             * Name
             * @description What it is for, to tell keys apart.
             */
            name?: string | null;
            /**
             * Role
             * @description What it may do.
             * @enum {string}
             */
            role: "reader" | "writer" | "curator" | "admin" | "operator";
            /**
             * Tenant
             * @description For an operator: whose key; an admin's is the own tenant.
             */
            tenant?: string;
            /**
             * Walls
             * @description Closed areas that it may see.
             * @default []
             */
            walls?: string[];
        };
        /**
         * KeyOut
         * @description A key without its secret.
         */
        KeyOut: {
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Expires At
             * @description When it ends by itself; null for never.
             */
            expires_at: string | null;
            /**
             * Id
             * @description Its id, the middle part of the key.
             */
            id: string;
            /**
             * Name
             * @description What it is for.
             */
            name: string | null;
            /**
             * Revoked At
             * @description When it was revoked; null while it is good.
             */
            revoked_at: string | null;
            /**
             * Role
             * @description What it may do.
             * @enum {string}
             */
            role: "reader" | "writer" | "curator" | "admin" | "operator";
            /**
             * Tenant
             * @description Whose it is; null for an operator of the whole database.
             */
            tenant: string | null;
            /**
             * Walls
             * @description Closed areas that it may see.
             */
            walls: string[];
        };
        /**
         * KeysOut
         * @description Keys, the oldest first.
         */
        KeysOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["KeyOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * LastHitOut
         * @description The last hit, which a memory would have had to beat.
         */
        LastHitOut: {
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Parts
             * @description What the score is made of.
             */
            parts: {
                [key: string]: number;
            };
            /**
             * Rank
             * @description Its place, from 1; null where it has none.
             */
            rank: number;
            /**
             * Score
             * @description Higher is better; compares within one answer only.
             */
            score: number;
        };
        /**
         * MergeIn
         * @description Entities that are one.
         * @example {
         *       "ids": [
         *         "n_1",
         *         "n_2"
         *       ],
         *       "reason": "one person"
         *     }
         */
        MergeIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Ids
             * @description The first stays.
             */
            ids: string[];
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
        };
        /**
         * MessageIn
         * @description One message of a chat.
         */
        MessageIn: {
            /**
             * Content
             * @description Text, or parts as chat APIs write them.
             */
            content?: string | unknown[] | null;
            /**
             * Role
             * @description system, user, assistant or tool.
             */
            role: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * ModelUseOut
         * @description What a language model cost, the newest day first.
         */
        ModelUseOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["DayOfUseOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * MovedOut
         * @description A hit that is not where it was.
         */
        MovedOut: {
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kind
             * @description What sort of memory it is.
             */
            kind: string;
            /**
             * Rank Now
             * @description Its place now; null where it is no hit.
             */
            rank_now: number | null;
            /**
             * Rank Then
             * @description Its place then; null where it was no hit.
             */
            rank_then: number | null;
            /**
             * Score Now
             * @description Its score now.
             */
            score_now: number | null;
            /**
             * Score Then
             * @description Its score then.
             */
            score_then: number | null;
            /**
             * Why
             * @description What moved it, as a sentence.
             */
            why: string;
        };
        /**
         * NeighbourhoodOut
         * @description What is around some entities.
         */
        NeighbourhoodOut: {
            /**
             * Capped
             * @description Entities that have more facts than were shown.
             */
            capped: string[];
            /**
             * Entities
             * @description The nearest first.
             */
            entities: components["schemas"]["NeighbourOut"][];
            /**
             * Facts
             * @description The facts, in order.
             */
            facts: components["schemas"]["FactOut"][];
        };
        /**
         * NeighbourOut
         * @description An entity near those that were asked about.
         */
        NeighbourOut: {
            /**
             * Distance
             * @description Hops from the nearest start.
             */
            distance: number;
            /**
             * Id
             * @description Its id; null for a literal value.
             */
            id: string;
            /**
             * Name
             * @description Its name.
             */
            name: string;
            /**
             * Type
             * @description Its type in the ontology.
             */
            type: string;
        };
        /**
         * NewKeyOut
         * @description A key just made.
         */
        NewKeyOut: {
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Expires At
             * @description When it ends by itself; null for never.
             */
            expires_at: string | null;
            /**
             * Id
             * @description Its id, the middle part of the key.
             */
            id: string;
            /**
             * Key
             * @description The key itself, shown this once.
             */
            key: string;
            /**
             * Name
             * @description What it is for.
             */
            name: string | null;
            /**
             * Revoked At
             * @description When it was revoked; null while it is good.
             */
            revoked_at: string | null;
            /**
             * Role
             * @description What it may do.
             * @enum {string}
             */
            role: "reader" | "writer" | "curator" | "admin" | "operator";
            /**
             * Tenant
             * @description Whose it is; null for an operator of the whole database.
             */
            tenant: string | null;
            /**
             * Walls
             * @description Closed areas that it may see.
             */
            walls: string[];
        };
        /**
         * NewWebhookOut
         * @description A webhook just made.
         */
        NewWebhookOut: {
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string;
            /**
             * Events
             * @description Of what it is told; of everything where empty.
             */
            events: string[];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Secret
             * @description Signs the deliveries (Standard Webhooks); shown this once.
             */
            secret: string;
            /**
             * Url
             * @description Where to.
             */
            url: string;
        };
        /**
         * OmittedOut
         * @description What was nearly shown.
         */
        OmittedOut: {
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kind
             * @description What sort of memory it is.
             */
            kind: string;
            /**
             * Reason
             * @description budget, superseded, future, archived, duplicate or limit.
             */
            reason: string;
        };
        /**
         * OntologyIn
         * @description Declarations laid over the base ontology.
         * @example {
         *       "relations": [
         *         {
         *           "aliases": [
         *             "looks after",
         *             "is account manager of"
         *           ],
         *           "cardinality": "one",
         *           "name": "account_manager_of"
         *         }
         *       ]
         *     }
         */
        OntologyIn: {
            /**
             * Default Cardinality
             * @description Of relations that nobody declared; one makes all so.
             */
            default_cardinality?: ("one" | "many") | null;
            /**
             * Dry Run
             * @description Answer with the receipt that it would give.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Entity Types
             * @description {name, aliases} each.
             */
            entity_types?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * Relations
             * @description {name, cardinality, aliases, from?, to?, inverse?, opposites?, symmetric?} each.
             */
            relations?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * Time Zone
             * @description In which days begin and end: Asia/Shanghai, or +08:00; UTC where absent.
             */
            time_zone?: string | null;
        };
        /**
         * OntologyOut
         * @description The types and relations in force.
         */
        OntologyOut: {
            /**
             * Default Cardinality
             * @description Of relations that nobody declared.
             * @enum {string}
             */
            default_cardinality: "one" | "many";
            /**
             * Entity Types
             * @description `{name, aliases}` each.
             */
            entity_types: {
                [key: string]: unknown;
            }[];
            /**
             * Fingerprint
             * @description Changes whenever anything here does.
             */
            fingerprint: string;
            /**
             * Overlay
             * @description What the tenant declared itself.
             */
            overlay: {
                [key: string]: unknown;
            };
            /**
             * Relations
             * @description `{name, cardinality, aliases …}` each.
             */
            relations: {
                [key: string]: unknown;
            }[];
            /**
             * Time Zone
             * @description In which days begin and end; UTC where empty.
             */
            time_zone: string;
        };
        /**
         * OutcomeIn
         * @description How one use of a skill went.
         * @example {
         *       "ok": true
         *     }
         */
        OutcomeIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that it would give.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Ok
             * @description Whether the skill did what it is for.
             */
            ok: boolean;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             * @default
             */
            reason?: string;
        };
        /**
         * PathOut
         * @description One chain of facts.
         */
        PathOut: {
            /**
             * Entities
             * @description From the one end to the other.
             */
            entities: components["schemas"]["EntityRefOut"][];
            /**
             * Facts
             * @description One between each two of the entities.
             */
            facts: components["schemas"]["FactOut"][];
        };
        /**
         * PathsOut
         * @description Chains of facts, the shortest first.
         */
        PathsOut: {
            /**
             * Empty
             * @description Where there is no path: what was looked at.
             */
            empty: string | null;
            /**
             * Items
             * @description The shortest first.
             */
            items: components["schemas"]["PathOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /** @description What is wrong (RFC 9457). */
        Problem: {
            /**
             * @description A stable word for what is wrong.
             * @enum {string}
             */
            code: "ambiguous" | "conflict" | "context_hard_stop" | "forbidden" | "held" | "internal" | "invalid" | "lane_unavailable" | "model_unavailable" | "not_found" | "not_yet_readable" | "rate_limited" | "store_unavailable" | "tenant_required" | "too_large" | "unauthenticated" | "unavailable" | "wrong_environment";
            /** @description What is wrong here and what would be right. */
            detail: string;
            /** @description Each field that is wrong. */
            errors?: {
                field?: string;
                message?: string;
            }[];
            /** @description As in `X-Request-Id`, in logs and in the audit chain. */
            request_id: string;
            /** @description The status of the answer. */
            status: number;
            /** @description What a code means, in a few words. */
            title: string;
            /** @description An address that stands for the code. */
            type: string;
        };
        /**
         * PurgeIn
         * @description What to erase.
         * @example {
         *       "reason": "asked to",
         *       "scope": {
         *         "episode": "e_1"
         *       }
         *     }
         */
        PurgeIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
            /** @description What to erase. */
            scope: components["schemas"]["EraseScopeIn"];
            /**
             * When Released
             * @description Where a hold is in the way: wait for its end instead of giving up.
             * @default false
             */
            when_released?: boolean;
        };
        /**
         * QuoteOut
         * @description The words of an episode that say it.
         */
        QuoteOut: {
            /**
             * End
             * @description Where it ends in the text, in characters; -1 where unknown.
             */
            end: number;
            /**
             * Episode
             * @description Id of the episode.
             */
            episode: string;
            /**
             * Quote
             * @description The words that say it.
             */
            quote: string;
            /**
             * Start
             * @description Where it begins in the text, in characters; -1 where unknown.
             */
            start: number;
        };
        /**
         * ReasonIn
         * @description Why, and whether it is to be done.
         * @example {
         *       "reason": "the customer told us so by phone"
         *     }
         */
        ReasonIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             */
            dry_run?: boolean | null;
            /**
             * Reason
             * @description Why; it stands in the receipt.
             */
            reason?: string | null;
        };
        /**
         * RecallOut
         * @description Hits, best first, and what was nearly one.
         */
        RecallOut: {
            /**
             * Degraded
             * @description What works less well than it could, in plain words.
             */
            degraded: string[];
            /**
             * Empty
             * @description Of an answer without hits: what was looked at.
             */
            empty: string | null;
            /**
             * Episodes
             * @description With `records`: episodes ranked or cited, further than the hits go.
             */
            episodes?: string[] | null;
            /**
             * Hits
             * @description The best first.
             */
            hits: components["schemas"]["HitOut"][];
            /**
             * Omitted
             * @description What was nearly shown, and why it is not.
             */
            omitted: components["schemas"]["OmittedOut"][];
            /**
             * Recent
             * @description Recently used, whatever the question.
             */
            recent: components["schemas"]["HitOut"][];
            /**
             * Took Ms
             * @description Milliseconds that the engine needed.
             */
            took_ms: number;
            /**
             * Trace Id
             * @description For `explain`: why each hit, why not each near miss.
             */
            trace_id: string | null;
        };
        /**
         * ReceiptOut
         * @description What one write did.
         */
        ReceiptOut: {
            /**
             * Actor
             * @description Who did it: `key:` and the key's id, `oidc:` and a name, or what a program called itself.
             */
            actor: string;
            /**
             * Changes
             * @description What it changed, in order.
             */
            changes: components["schemas"]["ChangeOut"][];
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Degraded
             * @description What was not at hand; the rest was done.
             */
            degraded: string[];
            /**
             * Dry Run
             * @description Whether it was only tried: then nothing was written.
             */
            dry_run: boolean;
            /**
             * Episodes
             * @description What became of each, in the order in which they were given.
             */
            episodes: components["schemas"]["EpisodeStatusOut"][];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Job
             * @description The job that does the rest, with mode async.
             */
            job: string | null;
            /**
             * Reason
             * @description Why, as whoever did it said.
             */
            reason: string | null;
            /**
             * Rejected
             * @description Inputs that were not taken, each with its reason.
             */
            rejected: components["schemas"]["RejectedOut"][];
            /**
             * Reviews
             * @description What a person should decide.
             */
            reviews: string[];
            /**
             * Screened
             * @description Secrets and personal data that were taken out.
             */
            screened: components["schemas"]["ScreeningOut"][];
            /**
             * Token
             * @description For `X-Muniment-Read-After`: a read with it sees this write whole.
             */
            token: string;
            /**
             * Trace Id
             * @description In log-only mode: the trace with all that would have been learned.
             */
            trace_id: string | null;
            /**
             * Undone By
             * @description Id of the receipt that took it back; null where it stands.
             */
            undone_by: string | null;
            /**
             * Verb
             * @description What was asked for.
             */
            verb: string;
        };
        /**
         * RecordsIn
         * @description A question to memory, and how much of the answer is wanted.
         * @example {
         *       "limit": 5,
         *       "query": "Who is head of purchasing at Globex?"
         *     }
         */
        RecordsIn: {
            /**
             * As Of
             * @description Answer as the world was then; now where absent.
             */
            as_of?: string | null;
            /**
             * Asked At
             * @description The asker's clock, to read 'last Tuesday' by; it filters nothing.
             */
            asked_at?: string | null;
            /**
             * Hops
             * @description How far the graph is walked.
             * @default 2
             */
            hops?: number;
            /**
             * Include Archived
             * @description Also what was put away.
             * @default false
             */
            include_archived?: boolean;
            /**
             * Include Superseded
             * @description Also what held before or will hold later, marked so.
             * @default false
             */
            include_superseded?: boolean;
            /**
             * Kinds
             * @description Only these kinds of memory; entities are hits only where they are named here.
             */
            kinds?: ("fact" | "episode" | "preference" | "skill" | "summary" | "entity")[] | null;
            /**
             * Known At
             * @description Answer from what was recorded by then; now where absent.
             */
            known_at?: string | null;
            /**
             * Limit
             * @description How many hits at most.
             * @default 10
             */
            limit?: number;
            /**
             * Min Importance
             * @description Only memories that matter at least so much: 1 to 5.
             */
            min_importance?: number | null;
            /**
             * Query
             * @description The question, at most 8,000 characters.
             */
            query: string;
            /**
             * Read Time Words
             * @description Whether 'in March' in the question is read as a time.
             * @default true
             */
            read_time_words?: boolean;
            /**
             * Records
             * @description Also the whole record of each hit, and every episode ranked.
             * @default false
             */
            records?: boolean;
            /**
             * Relations
             * @description Only facts of these relations.
             */
            relations?: string[] | null;
            /** @description Who asks: user, agent, session. */
            scope?: components["schemas"]["ScopeIn"] | null;
            /**
             * Speaker
             * @description Name of who asks, to read 'I' and 'my' by.
             */
            speaker?: string | null;
            /**
             * Types
             * @description Only facts that touch an entity of these types.
             */
            types?: string[] | null;
        };
        /**
         * RejectedOut
         * @description An input that was not taken.
         */
        RejectedOut: {
            /**
             * Code
             * @description A stable word for what is wrong.
             */
            code: string;
            /**
             * Detail
             * @description What is wrong here, and what would be right.
             */
            detail: string;
            /**
             * Input
             * @description Which input, such as facts[3].
             */
            input: string;
        };
        /**
         * ReleasedOut
         * @description The hold that ended, and the purges that had waited for it.
         */
        ReleasedOut: {
            /**
             * Dry Run
             * @description Whether it was only tried: then nothing was written.
             */
            dry_run: boolean;
            /** @description As it is now. */
            hold: components["schemas"]["HoldOut"];
            /**
             * Purged
             * @description What had waited for its end, and was erased then.
             */
            purged: components["schemas"]["CertificateOut"][];
        };
        /**
         * RememberIn
         * @description Episodes to keep, at most 1,000.
         * @example {
         *       "episodes": [
         *         {
         *           "external_id": "crm-note-881",
         *           "kind": "note",
         *           "metadata": {
         *             "channel": "phone"
         *           },
         *           "occurred_at": "2026-03-02T10:15:00+01:00",
         *           "speaker": "Tom Berg",
         *           "text": "Ana Ruiz now works for Globex as head of purchasing.",
         *           "title": "Call with Ana Ruiz"
         *         }
         *       ]
         *     }
         */
        RememberIn: {
            /**
             * Dry Run
             * @description Answer with the receipt that the write would give, and write nothing.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Episodes
             * @description In the order in which they happened.
             */
            episodes: components["schemas"]["EpisodeIn"][];
            /**
             * Extract
             * @description Whether facts are derived from the text.
             * @default auto
             * @enum {string}
             */
            extract?: "auto" | "none";
            /**
             * Mode
             * @description sync answers when all is readable; async keeps the episodes, answers 202 and names a job.
             * @default sync
             * @enum {string}
             */
            mode?: "sync" | "async";
        };
        /**
         * ReplayOut
         * @description An earlier answer given once more over what is stored now.
         */
        ReplayOut: {
            /**
             * Equal
             * @description The same hits in the same order with the same scores.
             */
            equal: boolean;
            /**
             * Hits
             * @description Of the answer as it is now.
             */
            hits: string[];
            /**
             * Moved
             * @description Hits that are not where they were.
             */
            moved: components["schemas"]["MovedOut"][];
            /**
             * Reasons
             * @description What has changed of that on which an answer depends.
             */
            reasons: string[];
            /**
             * Trace Id
             * @description For `explain`: why each hit, why not each near miss.
             */
            trace_id: string;
        };
        /**
         * ReviewOut
         * @description Something that evidence alone does not decide.
         */
        ReviewOut: {
            /**
             * Choices
             * @description How it can be decided.
             */
            choices: components["schemas"]["ChoiceOut"][];
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Entities
             * @description The sides, where it is about identity.
             */
            entities: components["schemas"]["EntityOut"][];
            /**
             * Facts
             * @description The sides.
             */
            facts: components["schemas"]["FactOut"][];
            /**
             * Features
             * @description What the score is made of.
             */
            features: {
                [key: string]: number;
            };
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kind
             * @description Id of the rule that could not decide.
             */
            kind: string;
            /**
             * Raised By
             * @description The evidence that made it.
             */
            raised_by: components["schemas"]["AssertionOut"][];
            /**
             * Score
             * @description How alike the names are, in [0, 1].
             */
            score: number | null;
            /**
             * Status
             * @description Open, resolved by a person, or settled by later evidence.
             * @enum {string}
             */
            status: "open" | "resolved" | "settled";
        };
        /**
         * ReviewsOut
         * @description A page of reviews.
         */
        ReviewsOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["ReviewOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * RotateIn
         * @description How a key is turned over.
         * @example {
         *       "overlap_s": 3600
         *     }
         */
        RotateIn: {
            /**
             * Overlap S
             * @description How long the old key goes on working.
             * @default 3600
             */
            overlap_s?: number;
        };
        /**
         * ScopeIn
         * @description Whose memory it is; an absent field means shared.
         */
        ScopeIn: {
            /**
             * Agent
             * @description An agent of the tenant.
             */
            agent?: string | null;
            /**
             * Session
             * @description One live conversation or run; what is in it is seen in it only.
             */
            session?: string | null;
            /**
             * User
             * @description A person whom the tenant serves.
             */
            user?: string | null;
        };
        /**
         * ScopeOut
         * @description Whose memory it is.
         */
        ScopeOut: {
            /**
             * Agent
             * @description An agent of the tenant; null is shared.
             */
            agent: string | null;
            /**
             * Session
             * @description One live conversation or run; null outlasts them.
             */
            session: string | null;
            /**
             * User
             * @description A person whom the tenant serves; null is shared.
             */
            user: string | null;
        };
        /**
         * ScreeningOut
         * @description What stood in an input by kind and count, never the value.
         */
        ScreeningOut: {
            /**
             * Count
             * @description How many there were.
             */
            count: number;
            /**
             * Done
             * @description Taken out, or the text refused.
             * @enum {string}
             */
            done: "redacted" | "refused";
            /**
             * Input
             * @description Which input, such as episodes[3].
             */
            input: string;
            /**
             * Kind
             * @description What it was: a password, a card number.
             */
            kind: string;
        };
        /**
         * StepOut
         * @description One step of a path.
         */
        StepOut: {
            /**
             * Fact
             * @description Id of the fact that leads on.
             */
            fact: string;
            /** @description Where it begins. */
            from: components["schemas"]["EntityRefOut"];
            /** @description Where it leads. */
            to: components["schemas"]["EntityRefOut"];
        };
        /**
         * StoryLineOut
         * @description One thing that happened.
         */
        StoryLineOut: {
            /**
             * Actor
             * @description Who did it: `key:` and the key's id, `oidc:` and a name, or what a program called itself.
             */
            actor: string;
            /**
             * At
             * @description When.
             */
            at: string | null;
            /**
             * Ids
             * @description What it is about.
             */
            ids: string[];
            /**
             * Rule
             * @description Id of the rule that decided.
             */
            rule: string;
            /**
             * What
             * @description What happened, as a sentence.
             */
            what: string;
        };
        /**
         * SubjectIn
         * @description An entity by its id or name.
         */
        SubjectIn: {
            /**
             * Id
             * @description Id of an entity.
             */
            id?: string | null;
            /**
             * Name
             * @description Any spelling of its name.
             */
            name?: string | null;
        };
        /**
         * SummaryOut
         * @description Text over a time range of episodes or a topic.
         */
        SummaryOut: {
            /**
             * Archived
             * @description Whether it was put away: in no answer unless asked for.
             */
            archived: boolean;
            /**
             * Covers
             * @description Ids of what it sums up.
             */
            covers: string[];
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * End
             * @description When the last of it happened.
             */
            end: string | null;
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /** @description Whose memory it is: user, agent, session; each null is shared. */
            scope: components["schemas"]["ScopeOut"];
            /**
             * Start
             * @description When the first of it happened.
             */
            start: string | null;
            /**
             * Text
             * @description The words.
             */
            text: string;
            /**
             * Topic
             * @description What it is about.
             */
            topic: string;
            /**
             * Wall
             * @description The closed area that it stands in; empty is open to the whole tenant.
             */
            wall: string;
        };
        /**
         * TenantIn
         * @description A new tenant.
         * @example {
         *       "name": "acme"
         *     }
         */
        TenantIn: {
            /**
             * Name
             * @description Letters, digits, `_`, `.` and `-`; at most 128.
             */
            name: string;
        };
        /**
         * TenantOut
         * @description A tenant.
         */
        TenantOut: {
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string | null;
            /**
             * Name
             * @description Its name.
             */
            name: string;
            /**
             * Settings
             * @description Those of its own; what is not named is as for all.
             */
            settings: {
                [key: string]: unknown;
            };
        };
        /**
         * TenantSettingsIn
         * @description What is to change; null takes a setting back to the default, what is left out stays.
         * @example {
         *       "context": {
         *         "language": "zh"
         *       },
         *       "log_only": true,
         *       "ranking": {
         *         "lexical": 0.8
         *       }
         *     }
         */
        TenantSettingsIn: {
            /**
             * Context
             * @description Words of the context block: `language` (en or zh), `headings` by section, `first_line` …; `shares` of its budget.
             */
            context?: {
                [key: string]: unknown;
            } | null;
            /**
             * Language Model
             * @description Whether texts may go to the configured model.
             */
            language_model?: boolean | null;
            /**
             * Log Only
             * @description Read and show what is told, and store nothing.
             */
            log_only?: boolean | null;
            /**
             * Personal Data
             * @description The same for account and identity numbers.
             */
            personal_data?: ("refuse" | "redact" | "keep") | null;
            /**
             * Ranking
             * @description Weights by name, of those in docs/recall.md; what is not named stays, null takes one back.
             */
            ranking?: {
                [key: string]: unknown;
            } | null;
            /**
             * Secrets
             * @description What happens to texts with keys or passwords.
             */
            secrets?: ("refuse" | "redact" | "keep") | null;
        };
        /**
         * TenantsOut
         * @description Tenants by name.
         */
        TenantsOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["TenantOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * TraceOut
         * @description Why each hit, and why not each near miss.
         */
        TraceOut: {
            /**
             * Trace Id
             * @description For `explain`: why each hit, why not each near miss.
             */
            trace_id: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * TrimIn
         * @description Chat history to cut down to a budget.
         * @example {
         *       "hard": 4000,
         *       "messages": [
         *         {
         *           "content": "Hello",
         *           "role": "user"
         *         }
         *       ],
         *       "soft": 3000
         *     }
         */
        TrimIn: {
            /**
             * Hard
             * @description Never more than this many tokens.
             */
            hard: number;
            /**
             * Keep Last
             * @description The soft limit never drops the last messages.
             * @default 4
             */
            keep_last?: number;
            /**
             * Messages
             * @description The oldest first.
             */
            messages: components["schemas"]["MessageIn"][];
            /**
             * On Overflow
             * @description Over the hard limit: an error, or a notice and the tail.
             * @default raise
             * @enum {string}
             */
            on_overflow?: "raise" | "degrade";
            /**
             * Soft
             * @description Oldest messages go until this many tokens are left.
             */
            soft: number;
        };
        /**
         * TrimOut
         * @description Chat history inside a budget.
         */
        TrimOut: {
            /**
             * Degraded
             * @description Whether a notice stands in place of what was too long.
             */
            degraded: boolean;
            /**
             * Dropped
             * @description How many messages went.
             */
            dropped: number;
            /**
             * Messages
             * @description What is left, the oldest first.
             */
            messages: {
                [key: string]: unknown;
            }[];
            /**
             * Tokens
             * @description How long it is, in tokens.
             */
            tokens: number;
        };
        /**
         * WebhookIn
         * @description Who is to be told of what.
         * @example {
         *       "events": [
         *         "receipt.written",
         *         "review.opened"
         *       ],
         *       "url": "https://crm.example/hooks/memory"
         *     }
         */
        WebhookIn: {
            /**
             * Events
             * @description All of them where none is named.
             * @default []
             */
            events?: ("receipt.written" | "review.opened" | "job.done" | "job.failed" | "memory.purged" | "access.refused")[];
            /**
             * Url
             * @description An https:// address that is public.
             */
            url: string;
        };
        /**
         * WebhookOut
         * @description Who is told of what.
         */
        WebhookOut: {
            /**
             * Created At
             * @description When it was made (RFC 3339).
             */
            created_at: string;
            /**
             * Events
             * @description Of what it is told; of everything where empty.
             */
            events: string[];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Url
             * @description Where to.
             */
            url: string;
        };
        /**
         * WebhooksOut
         * @description Webhooks, the oldest first.
         */
        WebhooksOut: {
            /**
             * Items
             * @description This page of the list.
             */
            items: components["schemas"]["WebhookOut"][];
            /**
             * Next Cursor
             * @description Where to go on, as `cursor`; null at the end of the list.
             */
            next_cursor: string | null;
        };
        /**
         * WhyNotIn
         * @description A memory, and a question with the options of recall.
         * @example {
         *       "id": "f_1",
         *       "limit": 5,
         *       "query": "Who is head of purchasing at Globex?"
         *     }
         */
        WhyNotIn: {
            /**
             * As Of
             * @description Answer as the world was then; now where absent.
             */
            as_of?: string | null;
            /**
             * Asked At
             * @description The asker's clock, to read 'last Tuesday' by; it filters nothing.
             */
            asked_at?: string | null;
            /**
             * Hops
             * @description How far the graph is walked.
             * @default 2
             */
            hops?: number;
            /**
             * Id
             * @description Of the memory that is asked about.
             */
            id: string;
            /**
             * Include Archived
             * @description Also what was put away.
             * @default false
             */
            include_archived?: boolean;
            /**
             * Include Superseded
             * @description Also what held before or will hold later, marked so.
             * @default false
             */
            include_superseded?: boolean;
            /**
             * Kinds
             * @description Only these kinds of memory; entities are hits only where they are named here.
             */
            kinds?: ("fact" | "episode" | "preference" | "skill" | "summary" | "entity")[] | null;
            /**
             * Known At
             * @description Answer from what was recorded by then; now where absent.
             */
            known_at?: string | null;
            /**
             * Limit
             * @description How many hits at most.
             * @default 10
             */
            limit?: number;
            /**
             * Min Importance
             * @description Only memories that matter at least so much: 1 to 5.
             */
            min_importance?: number | null;
            /**
             * Query
             * @description The question, at most 8,000 characters.
             */
            query: string;
            /**
             * Read Time Words
             * @description Whether 'in March' in the question is read as a time.
             * @default true
             */
            read_time_words?: boolean;
            /**
             * Relations
             * @description Only facts of these relations.
             */
            relations?: string[] | null;
            /** @description Who asks: user, agent, session. */
            scope?: components["schemas"]["ScopeIn"] | null;
            /**
             * Speaker
             * @description Name of who asks, to read 'I' and 'my' by.
             */
            speaker?: string | null;
            /**
             * Types
             * @description Only facts that touch an entity of these types.
             */
            types?: string[] | null;
        };
        /**
         * WhyNotOut
         * @description What stopped one memory from being a hit.
         */
        WhyNotOut: {
            /**
             * By
             * @description What it gave way to.
             */
            by: string[];
            /**
             * Id
             * @description Its id.
             */
            id: string;
            /**
             * Kind
             * @description What sort of memory it is.
             */
            kind: string;
            /** @description What it would have had to beat; null where nothing was found. */
            last_hit: components["schemas"]["LastHitOut"] | null;
            /**
             * Parts
             * @description What its score is made of, or would be.
             */
            parts: {
                [key: string]: number;
            };
            /**
             * Rank
             * @description Its place, from 1; null where it has none.
             */
            rank: number | null;
            /**
             * Score
             * @description Higher is better; compares within one answer only.
             */
            score: number | null;
            /**
             * Since
             * @description From when on that is so.
             */
            since: string | null;
            /**
             * Stopped By
             * @description shown, rejected, retracted, archived, unknown_then, scope, kind, type, relation, importance, not_yet, superseded, ended, duplicate, limit, not_found, wall, or what a context block left it out for (budget).
             */
            stopped_by: string;
            /**
             * Trace Id
             * @description For `explain`: why each hit, why not each near miss.
             */
            trace_id: string | null;
            /**
             * Why
             * @description The same as a sentence.
             */
            why: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    healthz_healthz_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics_metrics_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz_readyz_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit_v1_audit_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many at most. */
                limit?: number;
                /** @description Only what ended so. */
                outcome?: "" | "done" | "refused" | "failed";
                /** @description Only of this verb. */
                verb?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verify_audit_v1_audit_verify_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    certificates_v1_certificates_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many at most. */
                limit?: number;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificatesOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    certificate_v1_certificates__id__get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    commands_v1_commands_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    context_v1_context_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    entities_v1_entities_get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Also what was put away. */
                include_archived?: boolean;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description A part of any of its spellings. */
                q?: string;
                /** @description Only those of which a memory of this session tells. */
                session?: string;
                /** @description A type of the ontology. */
                type?: string;
                /** @description Only those of which a memory of this user tells. */
                user?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitiesOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    entity_v1_entities__id__get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    episodes_v1_episodes_get: {
        parameters: {
            query?: {
                /** @description Only what had happened by then (RFC 3339 with an offset). */
                as_of?: string;
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Also what was put away. */
                include_archived?: boolean;
                /** @description Only of this kind. */
                kind?: "" | "message" | "document" | "note" | "event" | "tool";
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description A part of the text. */
                q?: string;
                /** @description Only memories of this session. */
                session?: string;
                /** @description Only of this thread; ending with `/`, of every thread that begins so. */
                thread?: string;
                /** @description Only memories of this user. */
                user?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EpisodesOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remember_v1_episodes_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RememberIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description Kept; the job in the receipt derives the rest. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    episode_v1_episodes__id__get: {
        parameters: {
            query?: {
                /** @description Also what was put away. */
                include_archived?: boolean;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EpisodeOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retract_episode_v1_episodes__id__retract_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_v1_export_get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description Also the vectors of the index. */
                vectors?: boolean;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One record a line: a header, then all else. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    extract_v1_extract_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtractIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtractOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    facts_v1_facts_get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Also what was put away. */
                include_archived?: boolean;
                /** @description Also what held before or will hold later. */
                include_superseded?: boolean;
                /** @description Of these kinds; repeat it. Facts where absent. */
                kind?: ("fact" | "preference" | "skill")[] | null;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description Name or id of an entity, or a value. */
                object?: string;
                /** @description A part of the text. */
                q?: string;
                /** @description Any name that the ontology knows. */
                relation?: string;
                /** @description Only memories of this session. */
                session?: string;
                /** @description Those that have it at `as_of`; where absent, those in force. */
                status?: "" | "current" | "future" | "ended" | "superseded" | "rejected" | "archived";
                /** @description Name or id of an entity. */
                subject?: string;
                /** @description A type of the ontology, which the subject or the object has, or one below it. */
                type?: string;
                /** @description Only memories of this user. */
                user?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assert_facts_v1_facts_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssertIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    fact_v1_facts__id__get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description Also what was put away. */
                include_archived?: boolean;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    correct_v1_facts__id__correct_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_v1_facts__id__end_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndFactIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    history_v1_facts__id__history_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pin_v1_facts__id__pin_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reject_v1_facts__id__reject_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retract_v1_facts__id__retract_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unpin_v1_facts__id__unpin_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forget_v1_forget_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    neighbourhood_v1_graph_neighbourhood_get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description How far from them. */
                hops?: number;
                /** @description Entities to start from; repeat it. */
                id?: string[] | null;
                /** @description The same by its other name. */
                ids?: string[] | null;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description How many at most. */
                limit?: number;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NeighbourhoodOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    paths_v1_graph_paths_get: {
        parameters: {
            query: {
                /** @description Name or id of an entity. */
                a: string;
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description Name or id of another. */
                b: string;
                /** @description How long a path may be. */
                hops?: number;
                /** @description How many paths at most. */
                k?: number;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description Only over these relations; repeat it. */
                relation?: string[] | null;
                /** @description The same by its other name. */
                relations?: string[] | null;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    holds_v1_holds_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Also those that ended. */
                include_released?: boolean;
                /** @description How many at most. */
                limit?: number;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    hold_v1_holds_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    release_v1_holds__id__delete: {
        parameters: {
            query?: {
                /** @description Answer with what would be done, and do nothing. */
                dry_run?: boolean;
                /** @description Why. */
                reason?: string;
            };
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasedOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    release_hold_v1_holds__id__release_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasedOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import__v1_import_post: {
        parameters: {
            query?: {
                /** @description Answer with what would be done, and do nothing. */
                dry_run?: boolean;
                /** @description Why. */
                reason?: string;
            };
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    jobs_v1_jobs_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Only of this kind, such as `derive`. */
                kind?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description Only in this state. */
                state?: "" | "queued" | "running" | "done" | "failed" | "cancelled";
                /** @description Another name for `state`. */
                status?: "" | "queued" | "running" | "done" | "failed" | "cancelled";
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    job_v1_jobs__id__get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_job_v1_jobs__id__cancel_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retry_job_v1_jobs__id__retry_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    keys_v1_keys_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many at most. */
                limit?: number;
                /** @description For an operator: only this tenant's. */
                tenant?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_key_v1_keys_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKeyOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    key_v1_keys__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_key_v1_keys__id__delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_key_v1_keys__id__rotate_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKeyOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    merge_v1_merges_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unmerge_v1_merges__id__delete: {
        parameters: {
            query?: {
                /** @description Answer with the receipt that it would give. */
                dry_run?: boolean;
                /** @description Why; it stands in the receipt. */
                reason?: string;
            };
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forbid_merge_v1_merges_forbidden_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForbidMergeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    own_model_use_v1_model_use_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many days at most, of those on which it was used; 31 where absent. */
                days?: number | null;
                /** @description The same by its other name. */
                limit?: number | null;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelUseOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ontology_v1_ontology_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OntologyOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_ontology_v1_ontology_put: {
        parameters: {
            query?: {
                /** @description Answer with the receipt that it would give. */
                dry_run?: boolean;
                /** @description Why. */
                reason?: string;
            };
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OntologyIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preferences_v1_preferences_get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Also what was put away. */
                include_archived?: boolean;
                /** @description Also what held before or will hold later. */
                include_superseded?: boolean;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description Name or id of an entity, or a value. */
                object?: string;
                /** @description A part of the text. */
                q?: string;
                /** @description Any name that the ontology knows. */
                relation?: string;
                /** @description Only memories of this session. */
                session?: string;
                /** @description Those that have it at `as_of`; where absent, those in force. */
                status?: "" | "current" | "future" | "ended" | "superseded" | "rejected" | "archived";
                /** @description Name or id of whose they are. */
                subject?: string;
                /** @description A type of the ontology, which the subject or the object has, or one below it. */
                type?: string;
                /** @description Only memories of this user. */
                user?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    purge_v1_purge_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurgeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recall_v1_recall_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receipt_v1_receipts__id__get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undo_v1_receipts__id__undo_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reviews_v1_reviews_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Only of this kind: the rule that raised it. */
                kind?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description Empty for both. */
                status?: "" | "open" | "resolved";
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolve_review_v1_reviews__id__post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChoiceIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    own_settings_v1_settings_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_own_settings_v1_settings_patch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantSettingsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    skills_v1_skills_get: {
        parameters: {
            query?: {
                /** @description As it was true then (RFC 3339 with an offset); now where absent. */
                as_of?: string;
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description Also what was put away. */
                include_archived?: boolean;
                /** @description Also what held before or will hold later. */
                include_superseded?: boolean;
                /** @description As it was known then (RFC 3339 with an offset); now where absent. */
                known_at?: string;
                /** @description How many at most. */
                limit?: number;
                /** @description Name or id of an entity, or a value. */
                object?: string;
                /** @description A part of the text. */
                q?: string;
                /** @description Any name that the ontology knows. */
                relation?: string;
                /** @description Only memories of this session. */
                session?: string;
                /** @description Those that have it at `as_of`; where absent, those in force. */
                status?: "" | "current" | "future" | "ended" | "superseded" | "rejected" | "archived";
                /** @description Name or id of an entity. */
                subject?: string;
                /** @description A type of the ontology, which the subject or the object has, or one below it. */
                type?: string;
                /** @description Only memories of this user. */
                user?: string;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    record_outcome_v1_skills__id__outcomes_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutcomeIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenants_v1_tenants_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantsOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    make_tenant_v1_tenants_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenant_v1_tenants__name__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_tenant_v1_tenants__name__patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantSettingsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tenant_model_use_v1_tenants__name__model_use_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many days at most, of those on which it was used; 31 where absent. */
                days?: number | null;
                /** @description The same by its other name. */
                limit?: number | null;
            };
            header?: never;
            path: {
                /** @description Name of the tenant. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelUseOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explain_v1_traces__id__get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replay_v1_traces__id__replay_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    why_not_in_trace_v1_traces__id__why_not__memory_id__get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
                /** @description Id of the memory that is asked about. */
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyNotOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    trim_messages_v1_trim_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrimIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrimOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhooks_v1_webhooks_get: {
        parameters: {
            query?: {
                /** @description Where to go on: next_cursor of the last answer. */
                cursor?: string | null;
                /** @description How many at most. */
                limit?: number;
            };
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_webhook_v1_webhooks_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhook_v1_webhooks__id__get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Tokens of receipts or jobs, with commas: waits, within a bound, until those writes can be read. */
                "X-Muniment-Read-After"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_webhook_v1_webhooks__id__delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same request gives the same answer for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Its id, as another answer gave it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    why_not_v1_why_not_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhyNotIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyNotOut"];
                };
            };
            /** @description What is wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
