// Sends what a form of the page says, with the key that is typed in above, and shows the answer. Nothing is kept.
"use strict";

/** The request that a form describes: where to, with what. Empty fields are left out; a line break means one more value. */
function requestOf(form, key) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = key ? { Authorization: "Bearer " + key } : {};
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value;
    if (field.dataset.in === "path") path = path.replace("{" + field.name + "}", encodeURIComponent(value));
    else if (value === "") continue;
    else if (field.dataset.in === "header") headers[field.name] = value;
    else for (const one of value.split("\n")) query.append(field.name, one);
  }
  const body = form.querySelector("textarea[data-body]");
  const options = { method: form.dataset.method, headers, cache: "no-store" };
  if (body && body.value.trim() !== "") {
    options.body = body.value;
    headers["Content-Type"] = body.dataset.body;
  }
  const search = query.toString();
  return { url: path.replace(/^\//, "") + (search ? "?" + search : ""), options };
}

/** An answer as text: its status, what it says of itself, and JSON with line breaks. */
async function shown(response) {
  const text = await response.text();
  const id = response.headers.get("X-Request-Id");
  let body = text;
  try {
    body = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // not JSON: as it is
  }
  return response.status + " " + response.statusText + (id ? "  (" + id + ")" : "") + "\n\n" + body;
}

function listen(page) {
  for (const form of page.querySelectorAll("form[data-path]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const answer = form.querySelector("pre[data-answer]");
      answer.hidden = false;
      answer.textContent = "…";
      const { url, options } = requestOf(form, page.querySelector("#key").value.trim());
      try {
        answer.textContent = await shown(await fetch(url, options));
      } catch (error) {
        answer.textContent = "no answer: " + error.message;
      }
    });
  }
}

/** Opens what a link of the page leads to. */
function openTarget(page, hash) {
  const target = hash.length > 1 ? page.getElementById(decodeURIComponent(hash.slice(1))) : null;
  if (target && "open" in target) {
    target.open = true;
    target.scrollIntoView();
  }
}

if (typeof document !== "undefined") {
  listen(document);
  window.addEventListener("hashchange", () => openTarget(document, location.hash));
  openTarget(document, location.hash);
}
if (typeof module !== "undefined") module.exports = { requestOf, shown, listen };
