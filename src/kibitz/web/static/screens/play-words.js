// What happens at the table, and whom one plays against, in words.

/** Opponents from the weakest on, with a word about each. @type {[string, string, string][]} */
export const OPPONENTS = [
  ["random", "Random", "any legal play"],
  ["ten-factor", "Ten factors", "plays by ten rules it can explain"],
  ["tabula", "Tabula", "a hand-made engine that shows its sums"],
  ["beginner", "Beginner", "knows the aim, errs often"],
  ["casual", "Casual", "a friend at the kitchen table"],
  ["intermediate", "Intermediate", "a club player"],
  ["advanced", "Advanced", "wins tournaments now and then"],
  ["expert", "Expert", "hardly ever errs"],
  ["master", "Master", "looks one ply ahead"],
  ["grandmaster", "Grandmaster", "looks two plies ahead"],
  ["deep", "Deep", "looks further where it is not sure"],
];

/** What an opponent is called. @param {string} name */
export function opponentName(name) {
  return OPPONENTS.find(([one]) => one === name)?.[1] ?? name;
}

/** @typedef {{player: 0|1, choice: string, state: any, dice: number[]|null, play: any, points: number|null, size: number|null}} Happening */

const SIZES = ["", "a single game", "a gammon", "a backgammon"];

/**
 * What somebody did.
 * @param {Happening} one
 * @param {number} seat of the person
 * @param {string} opponent
 */
export function happening(one, seat, opponent) {
  const mine = one.player === seat;
  const who = mine ? "You" : opponent;
  /** @param {string} verb */
  const does = (verb) => `${who} ${mine ? verb : verb + (/(s|sh|ch)$/.test(verb) ? "es" : "s")}`;
  const dice = one.dice ? `${one.dice[0]}${one.dice[1]}` : "";
  switch (one.choice) {
    case "roll":
      return `${does("roll")} ${dice}`;
    case "play":
      return one.play ? `${does("play")} ${dice}: ${one.play.play}` : `${who} cannot move ${dice}`;
    case "double":
      return `${does("double")} to ${2 * one.state.match.cube.value}`;
    case "resign":
      return `${does("offer")} to lose ${SIZES[one.size ?? 1]}`;
    case "accept":
      return `${does("accept")} the resignation`;
    case "refuse":
      return mine ? "You do not accept that" : `${opponent} does not accept that`;
    default:
      return does(one.choice);
  }
}

/** What is asked of the person now. @param {any} game */
export function asked(game) {
  const { choices, state, result, over, seat, players, score } = game;
  if (over) return `${score[seat] > score[1 - seat] ? "You win" : `${players[1 - seat]} wins`} the match, ${score[seat]}–${score[1 - seat]}`;
  if (result) return `${result.winner === seat ? "You win" : `${players[1 - seat]} wins`} ${result.points === 1 ? "1 point" : `${result.points} points`}`;
  if (choices.includes("accept")) return "A resignation is offered";
  if (choices.includes("take")) {
    const words = { double: `You are doubled to ${2 * state.match.cube.value}`, beaver: "Your double is beavered", raccoon: "Your beaver is raccooned" };
    return words[/** @type {keyof typeof words} */ (state.offer)] ?? "Take or pass?";
  }
  if (choices.includes("play")) return game.plays.length ? `Your play of ${state.dice[0]}${state.dice[1]}` : `${state.dice[0]}${state.dice[1]}: no legal play`;
  return choices.includes("double") ? "Roll or double?" : "Your roll";
}

/** How a play or cube action that costs something is told. @param {{lost: number, blunder: boolean}} warning */
export function warned(warning) {
  return `That loses ${warning.lost.toFixed(3)}${warning.blunder ? ", a blunder" : ""}.`;
}

/** Seconds as a clock shows them. @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
