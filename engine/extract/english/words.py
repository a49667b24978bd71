"""English word lists that the rules share. General language only; a tenant's own words come by its ontology and names."""

from __future__ import annotations

# Titles stay outside the name: "Judge Roe" and "Zoe Roe" must be able to meet.
PERSON_TITLES = frozenset(
    """
    mr mrs ms miss mx dr prof professor sir judge justice hon capt captain lt col colonel sgt sergeant
    madam hhj inspector detective senator
    """.split()
)
LEGAL_FORMS = frozenset(
    """
    inc ltd limited plc llc llp lp gmbh ag sa s.a bv b.v nv n.v ab oy as a.s co corp corporation company kg kgaa srl
    s.r.l spa s.p.a sarl pty pte aps s.l sl kk ug se
    """.split()
)
# Legal forms that are also common lower-case words count only in this spelling.
CASED_LEGAL_FORMS = frozenset({"as", "se", "co", "sa", "spa", "sl", "company", "limited"})
ORGANISATION_WORDS = {
    "company": """
        industries labs laboratories logistics group holdings holding systems technologies technology solutions partners
        associates foods energy textiles capital ventures robotics enterprises shipping pharma pharmaceuticals motors
        airlines airways media studios consulting consultants analytics software networks electronics traders trading
        brothers bros sons international worldwide realty properties builders builder construction materials
        engineering manufacturing works shipyards shipyard mills steel chemicals plastics packaging freight cargo couriers
        telecom communications broadcasting entertainment productions pictures records publishing publishers press books
        retail stores supermarkets hotels resorts catering bakery breweries brewery dairy farms orchards gardens nurseries
        diagnostics devices instruments biotech therapeutics marine aviation aerospace automotive cooling heating lifts
        elevators security services agency advisors advisory agents mutual branding cloud dynamics furniture apparel
        logistic healthcare utilities petroleum oil gas minerals mining semiconductors
    """.split(),
    "bank": "bank banking bancorp".split(),
    "insurer": "insurance assurance insurers underwriters reinsurance".split(),
    "school": "university college school academy institute polytechnic faculty".split(),
    "hospital": "hospital clinic infirmary hospice".split(),
    "court": "court tribunal courts".split(),
    "government_body": "ministry department council commission agency authority bureau parliament senate".split(),
    "organisation": "foundation association society union federation trust committee board church charity party league".split(),
    "team": "fc cf united rovers".split(),
    "law_firm": "chambers solicitors attorneys".split(),
}
ORGANISATION_OF = {word: type_ for type_, words in ORGANISATION_WORDS.items() for word in words}
PLACE_WORDS = frozenset(
    """
    street road avenue lane square boulevard drive river lake mount mountain island islands bay sea ocean valley park
    bridge airport station port harbour harbor county province district city town village
    """.split()
)
# Names of tools that a small model takes for people or firms; spelled as they are sold.
TOOLS = frozenset(
    """
    salesforce slack jira confluence hubspot zendesk asana trello notion github gitlab jenkins docker kubernetes terraform
    postgres postgresql mysql mongodb redis kafka snowflake tableau figma zoom teams outlook excel powerpoint gmail
    dropbox sharepoint dynamics stripe shopify mailchimp intercom freshdesk servicenow workday netsuite sap quickbooks
    xero docusign airtable monday python java javascript typescript rust golang linux windows macos android react
    angular django flask fastapi spark databricks airflow grafana prometheus datadog splunk sentry okta miro photoshop
    autocad whatsapp telegram wechat dingtalk chatgpt copilot claude gemini
    """.split()
)
# First names, enough to tell a person from a firm and she from he; unlisted names have neither.
FEMALE_NAMES = frozenset(
    """
    mary anna anne ann ana emma olivia sophia sophie sofia isabella mia amelia emily grace lily ella chloe zoe zoey hannah
    sarah sara laura lauren julia julie katherine catherine kate katie elizabeth eliza lisa linda barbara susan susanna
    jessica jennifer jenny karen nancy margaret marguerite betty sandra ashley kimberly donna carol michelle amanda melissa
    deborah stephanie rebecca rachel sharon cynthia kathleen amy angela helen helena brenda pamela nicole samantha christine
    christina cristina maria marie marta martha priya neha anita sunita lakshmi mei ling yuki sakura aiko fatima aisha
    leila layla noor ingrid astrid freya greta petra eva eve irina olga natasha tatiana svetlana elena valentina giulia
    chiara francesca bianca lucia carmen rosa ines beatriz claudia monica veronica teresa victoria vera celine camille
    juliette charlotte clara nora naomi ruth esther miriam leah diana fiona gwendolyn heather hester ivy jane janet joan
    joyce judith judy kelly kim laila lena liz lorna louise lucy lydia mandy megan molly nadia nina paula peggy penny
    philippa phoebe rita rosalind ros rose rosie sally sheila shirley sonia stella sue tanya tara tilly tina tracy ursula
    vivian wendy yasmin yvonne xenia ximena alice abigail agnes bettina marisol anneke dara lena lara petra celine maya freda edwina gwen cara clio dina edith flora gina hilda inga jana kira lola mira nell olive pia rhea sana tess una viola willa zara
    """.split()
)
MALE_NAMES = frozenset(
    """
    james john robert michael william david richard joseph thomas tom charles christopher chris daniel dan matthew matt
    anthony tony mark donald steven stephen steve paul andrew andy joshua kenneth ken kevin brian george timothy tim
    ronald edward ed jason jeffrey jeff ryan jacob jake gary nicholas nick eric jonathan larry justin scott brandon
    benjamin ben samuel sam gregory greg frank alexander alex raymond ray patrick pat jack dennis jerry tyler aaron jose
    adam nathan henry harry douglas peter pete zachary kyle walter ethan jeremy harold keith christian roger noah gerald
    carl terry sean austin arthur lawrence jesse dylan bryan joe jordan billy bruce albert willie gabriel logan alan
    juan wayne roy ralph randy eugene vincent russell louis philip phil bobby johnny bradley karim omar ali hassan ahmed
    mohammed muhammad yusuf ibrahim tariq salim rajesh rakesh rahul rohan sanjay vijay amit arjun ravi suresh hiroshi
    kenji takeshi wei jun liam oliver lucas mateo leo luca marco matteo giovanni andrea lorenzo pierre jean luc antoine
    francois hans klaus jurgen lars erik sven bjorn olaf nils ivan dmitri sergei boris vladimir oleg igor pavel tomasz
    piotr jan pablo diego carlos miguel luis javier fernando pedro ricardo hugo felix max oscar otto rolf dieter stefan
    bob jim dave mike fred ted rob hamish angus callum duncan ewan gavin graham ian hector ivo quentin xavier yosef umar tobias simon sebastian rupert
    piers neil martin malcolm leonard lance kofi kwame jorge jerome jasper isaac gordon glenn geoffrey gareth francis
    fergus evan elliot dominic derek damian craig colin clive cedric basil alistair alasdair adrian abdul mario neal levi omid wei ivo nikhil rajeev arvind vivek arnav kunal deepak ashok anil sunil manoj omer emil anton viktor stanley ernest leslie lewis morgan percy reuben seth silas theo wayne winston xander yuri zack
    """.split()
)
ALSO_PLACES = frozenset(
    "austin jordan charlotte florence victoria sydney paris jackson dallas madison lincoln chester lance georgia carolina chelsea adelaide alexandria santiago francisco luis".split()
)
# Sentence-first words that only look like names, mostly verbs of notes written without a subject.
AFTER_NAMES = frozenset("kc qc sc esq phd md mp mep msc mba cbe obe".split())
"""What stands behind a person's name; "of" after it begins something else."""

STARTERS = frozenset(
    """
    is are was were do does did has have had can could will would shall should said took came went made gave kept
    met spoke called visited saw talked emailed mailed asked signed agreed sent received got told heard chatted closed lost
    won checked confirmed discussed reviewed moved updated deal head main per note new old our the a an for from on at in
    by all any this that these those who what which where when how why since over under as we i it he she they you no not
    never always please contact status update preference preferences customer client account matter ticket order judge
    today yesterday tomorrow now then also and but so if because while after before during until both each every some many
    most only just still yet my your his her its their there here hello hi dear hey thanks thank sorry yes ok okay fyi
    regards best kind sincerely cheers re fw fwd meeting minutes present subject agenda action actions summary list
    correction reminder warning important attention office team sales support legal finance hr marketing engineering
    procurement management operations purchase invoice contract renewal call email phone address budget price plan
    next last first second third step steps due done todo open product project company vendor supplier partner plaintiff
    press open click select confirm close restart enter choose send run add use see ask remove create install download upload
    visit tell give take put write read find check go start stop turn fill attach submit print scan notify let get keep make
    try remember note forget imagine suppose although despite however moreover besides instead thus hence
    defendant counsel court rule section credit board owner according apparently maybe perhaps rumour rumor word
    """.split()
)
DEPARTMENTS = frozenset(
    """
    finance engineering sales hr marketing legal it operations procurement support management bpo accounting accounts logistics
    production purchasing compliance research development design quality security administration treasury audit payroll
    facilities communications recruiting controlling
    """.split()
)
DEPARTMENT_NAMES = frozenset(
    {
        "business development",
        "human resources",
        "customer service",
        "customer support",
        "customer success",
        "public relations",
        "research and development",
        "r&d",
        "information technology",
        "quality assurance",
        "product management",
        "corporate affairs",
    }
)
CALENDAR = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays january february march april may june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec easter christmas q1 q2 q3 q4
    """.split()
)
NOT_NAMES = frozenset(
    """
    i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec easter christmas
    english german french spanish italian chinese japanese ok po re fw fyi btw aob vat pdf am pm utc gmt cet eta eod
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    asap q1 q2 q3 q4 ps nb tbc tbd ceo cto cfo coo cio cmo vp svp evp md hr it pr qa kpi api faq crm erp sla nda rfp poc msa sow dpa mou loi
    mr mrs ms dr usd eur gbp iban bic mondays tuesdays wednesdays thursdays fridays saturdays sundays
    """.split()
)
ROLE_HEADS = frozenset(
    """
    officer head director president vice manager partner chair chairman chairwoman chairperson minister secretary engineer
    lead leader counsel owner founder chief ceo cto cfo coo vp judge representative executive coordinator analyst
    consultant developer assistant architect administrator accountant lawyer attorney solicitor buyer specialist
    supervisor technician designer nurse doctor surgeon teacher professor clerk agent adviser advisor controller
    treasurer trustee receptionist programmer scientist researcher editor author recruiter trainer
    associate intern principal superintendent foreman captain inspector auditor broker planner strategist operator
    physician dentist pharmacist paralegal barrister
    """.split()
)
# First names that are words or months as well: names where another capital follows and the sentence goes on as after a subject.
WORD_NAMES = frozenset(
    {"will", "may", "june", "april", "august", "mark", "grant", "bill", "art", "chase", "drew", "hope", "summer"}
)
MONTH_NAMES = frozenset({"may", "june", "april", "august"})
# Class nouns that are a part of the name behind them: Project Falcon is not "Falcon". What follows may be no name but say more of the kind.
NAMING_NOUNS = frozenset({"project", "team", "programme", "program", "operation", "initiative", "campaign"})
OF_A_PROJECT = frozenset(
    """
    plan plans status update updates scope budget timeline kick kickoff kick-off board office charter review report team sponsor owner
    schedule meeting overview summary goals members name code phase risks brief roles building spirit call lunch
    """.split()
)
LINKING = frozenset("of the de van von der den la le du di del da al bin ben y e".split())
JOINING_FOR = frozenset(
    "department centre center institute society foundation ministry office agency court council".split()
)
AFTER_AND = frozenset("sons partners co company brothers associates daughters co. co., bros".split())
