"use strict";
for (const match of document.querySelectorAll(".match")) {
  const form = match.querySelector(".filters");
  const decisions = [...match.querySelectorAll(".decision")];
  const wanted = (decision) => {
    const { player, size, kind, game } = form.elements;
    const lost = Number(decision.dataset.lost);
    return (player.value === "" || decision.dataset.player === player.value)
      && (size.value === "mark" ? decision.dataset.mark !== "" : lost > Number(size.value))
      && (kind.value === "" || decision.dataset.kind === kind.value)
      && (game.value === "" || decision.closest(".game").dataset.game === game.value);
  };
  const show = () => {
    let shown = 0;
    for (const decision of decisions) {
      decision.hidden = !wanted(decision);
      shown += !decision.hidden;
    }
    for (const game of match.querySelectorAll(".game")) {
      game.hidden = form.elements.game.value !== "" && game.dataset.game !== form.elements.game.value;
    }
    form.querySelector(".count").value = `${shown} of ${decisions.length} decisions`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}
const follow = () => {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (target && target.matches(".decision")) {
    target.hidden = false;
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => {
  for (const decision of document.querySelectorAll(".decision:not([hidden])")) decision.open = true;
});
follow();
