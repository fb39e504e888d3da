// What a page does beyond showing itself: it keeps results away until there is a prediction, opens what a link
// leads to, and lets the keyboard scroll what is wider than the page. Without it everything can be read.
(() => {
  "use strict";

  const PAGE = document.documentElement.querySelector("title").textContent.split(" — ")[0];

  // -------------------------------------------------------------------------------------------
  // Commit before you look

  function kept(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // a browser that keeps nothing still asks
    }
  }

  function keep(key, words) {
    try {
      if (words === null) localStorage.removeItem(key);
      else localStorage.setItem(key, words);
    } catch {
      // the words are gone when the page is
    }
  }

  function answersOf(name) {
    const outputs = document.querySelectorAll(`.cell.tag_answers-${CSS.escape(name)} details.hide.below-input`);
    const told = document.querySelectorAll(`details[data-answers="${CSS.escape(name)}"]`);
    return { results: [...outputs], told: [...told] };
  }

  function ask(form) {
    const name = form.dataset.asks;
    const key = `bert-inside-out: ${PAGE}: ${name}`;
    const { results, told } = answersOf(name);
    const [commit, without] = form.querySelectorAll("button");
    const input = form.querySelector("input");
    const waits = document.createElement("p");
    waits.className = "waits";
    waits.textContent = "The result waits for your prediction.";
    const first = results[0] ?? told[0];

    function close() {
      [...results, ...told].forEach((part) => part.classList.add("waiting"));
      first?.before(waits);
      input.readOnly = false;
      commit.textContent = "Commit";
      without.hidden = false;
      form.classList.remove("committed");
    }

    function open(words) {
      waits.remove();
      [...results, ...told].forEach((part) => part.classList.remove("waiting"));
      results.forEach((part) => (part.open = true));
      without.hidden = true;
      if (words === null) {
        form.hidden = true;
        return;
      }
      input.value = words;
      input.readOnly = true;
      commit.textContent = "Change";
      form.classList.add("committed");
    }

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.readOnly) {
        keep(key, null);
        close();
        input.focus();
      } else {
        const words = input.value.trim();
        if (!words) return;
        keep(key, words);
        open(words);
      }
    });
    without.addEventListener("click", () => {
      open(null);
      first?.querySelector("summary")?.focus(); // for the button is gone
    });

    form.hidden = false;
    const words = kept(key);
    if (words === null) close();
    else open(words);
  }

  // -------------------------------------------------------------------------------------------
  // Folds and the keyboard

  function openTheWayTo(target) {
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") part.open = true;
    }
    const stretch = target.closest("section")?.querySelector(":scope > details.stretch");
    if (stretch) stretch.open = true;
  }

  function followTheAddress() {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      // an address whose end stands for no text
    }
    if (!target) return;
    openTheWayTo(target);
    target.scrollIntoView();
  }

  function reach() {
    document.querySelectorAll("article :is(pre, .formula, .wide, math.long)").forEach((part) => {
      if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    });
  }

  document.querySelectorAll("form.prediction").forEach(ask);
  addEventListener("hashchange", followTheAddress);
  followTheAddress();
  addEventListener("load", () => setTimeout(reach));
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);
})();
