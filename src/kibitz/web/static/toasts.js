// Short messages at the edge of the page. Screen readers hear them as well.

/**
 * @param {string} text
 * @param {{problem?: boolean, seconds?: number}} [options]
 */
export function toast(text, { problem = false, seconds = problem ? 8 : 3 } = {}) {
  let place = document.querySelector(".toasts");
  if (!place) {
    place = document.createElement("div");
    place.className = "toasts";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  const shown = document.createElement("div");
  shown.className = problem ? "toast toast-problem" : "toast";
  shown.textContent = text;
  place.append(shown);
  setTimeout(() => shown.remove(), 1000 * seconds);
}
