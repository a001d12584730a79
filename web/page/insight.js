// What the engine thinks: its search while it runs, what the moves are worth, and the score over the
// game.

import { Analyst } from "./analyst.js";
import { button, make } from "./dom.js";
import { ScoreGraph } from "./score-graph.js";
import { titleOf } from "./seats.js";
import { VIEWS } from "./views.js";
import { numberText, plural } from "./words.js";

/** Moves whose values are shown. */
const SHOWN_VALUES = 5;

/** A lead with its sign: whole points if it is proven. */
function signed(lead, exact) {
  // A tenth of a large one means nothing, and has no room on a small board.
  const digits = exact || Math.abs(lead) >= 9.95 ? 0 : 1;
  const rounded = Number(lead.toFixed(digits));
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  return sign + Math.abs(rounded).toFixed(digits);
}

/** A number of positions in short. */
function counted(number) {
  if (number < 10_000) return String(Math.round(number));
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)} k`;
  return `${(number / 1_000_000).toFixed(1)} M`;
}

/** A move in short: a Blokus piece by its first square and its size. */
function shortMove(move) {
  const squares = move.split(",");
  return squares.length > 1 && !move.includes("-") ? `${squares[0]} ·${squares.length}` : move;
}

/** Calls back at most once a frame. */
function perFrame(callback) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      callback();
    });
  };
}

/** The panel with everything that the engine thinks. */
export class InsightPanel {
  #table;
  #actions;
  #analyst;
  #graph;
  #parts;
  /** The last search that reported something. */
  #task = null;
  #lineKey = "";
  #valuesKey = "";
  #previewed = false;
  #labelled = false;
  #position = "";
  /** The match as it was drawn; nothing if that has to be done again. */
  #shown = null;
  #show = perFrame(() => this.#draw());

  /**
   * @param {HTMLElement} host an empty element
   * @param {import("./table.js").Table} table
   * @param {{preview: (line: string[]) => void, showValues: (values: {move: string, label: string,
   *   best: boolean}[]) => void}} actions `preview` shows moves on the board, the first by the player to
   *   move, or none; `showValues` labels moves on the board
   */
  constructor(host, table, actions) {
    this.#table = table;
    this.#actions = actions;
    this.#analyst = new Analyst(table);
    this.#build(host);
    this.#graph = new ScoreGraph(this.#parts.graph, {
      goTo: (ply) => table.goTo(ply),
      describe: (ply) => this.#describe(ply),
    });
    table.addEventListener("change", () => {
      this.#forget();
      this.#changed();
    });
    table.addEventListener("progress", ({ detail }) => {
      this.#task = detail;
      detail.millis = performance.now() - detail.begun;
      this.#show();
    });
    this.#analyst.addEventListener("change", () => this.#changed());
    this.#draw();
  }

  /** More than the search that runs has to be drawn again. */
  #changed() {
    this.#shown = null;
    this.#show();
  }

  /** Takes moves off the board at once that belong to another position. */
  #forget() {
    const { match } = this.#table;
    const position = `${match.setup} ${match.moves.join(" ")}`;
    if (position === this.#position) return;
    this.#position = position;
    this.#clearPreview();
    if (this.#labelled) this.#label([]);
  }

  #build(host) {
    const fact = (label) => {
      const value = make("dd", {}, "–");
      return [value, make("div", {}, make("dt", {}, label), value)];
    };
    const [score, scoreBox] = fact("Score");
    const [depth, depthBox] = fact("Depth");
    const [nodes, nodesBox] = fact("Positions");
    const [speed, speedBox] = fact("Per second");
    scoreBox.className = "insight-wide";
    const who = make("p", { className: "insight-who" });
    const bar = make("div", { className: "insight-bar" });
    const line = make("ol", { className: "insight-line", aria: { label: "Expected moves" } });
    const best = { label: "Best moves and their values" };
    const values = make("ol", { className: "insight-values", aria: best });
    const [valuesSwitch, valuesInput] = this.#switch("Show values of moves", false, (on) => {
      this.#analyst.present = on;
    });
    const [allSwitch] = this.#switch("Analyse every move", true, (on) => {
      this.#analyst.everything = on;
    });
    const graph = make("div", { className: "insight-graph" });
    const switches = make("div", { className: "insight-switches" }, valuesSwitch, allSwitch);
    host.classList.add("insight");
    host.replaceChildren(
      make("div", { className: "insight-head" }, who, bar),
      make("dl", { className: "insight-facts" }, scoreBox, depthBox, nodesBox, speedBox),
      line,
      graph,
      switches,
      values,
    );
    this.#parts = { who, bar, score, depth, nodes, speed, line, values, valuesInput, graph };
  }

  #switch(label, on, choose) {
    const input = make("input", { type: "checkbox", role: "switch", checked: on });
    input.addEventListener("change", () => {
      choose(input.checked);
      this.#analyst.update();
      this.#changed();
    });
    return [make("label", { className: "insight-switch" }, input, make("span", {}, label)), input];
  }

  /** Whether two sides play, so that one number says who is ahead. */
  get #twoSides() {
    return this.#table.match.people === 2;
  }

  /** A lead in words: `white +3.2`, `black wins by 12 (proven)`. */
  #leadText(seat, lead, exact) {
    const rounded = Number(lead.toFixed(exact ? 0 : 1));
    if (rounded === 0) return exact ? "a draw (proven)" : "even";
    if (!this.#twoSides) return `${this.#table.sideOf(seat)} ${signed(lead, exact)}`;
    const ahead = this.#table.sideOf(lead > 0 ? seat : 1 - seat);
    const size = Math.abs(rounded);
    const wins = ahead.includes(" and ") ? "win" : "wins";
    return exact ? `${ahead} ${wins} by ${size} (proven)` : `${ahead} ${signed(Math.abs(lead), false)}`;
  }

  /** The whole match, moves that were taken back included, with what is known of each position. */
  #history() {
    const { match, colors } = this.#table;
    const whole = match.whole();
    const { moves, movers, over } = whole;
    const turn = whole.turn;
    const flat = whole.points;
    whole.free();
    const count = colors.length;
    const points = moves.concat("").map((_, ply) => [...flat.slice(ply * count, (ply + 1) * count)]);
    const seats = points.map((row) => {
      const sums = Array(match.people).fill(0);
      row.forEach((value, player) => (sums[match.seatOf(player)] += value));
      return sums;
    });
    const history = { moves, movers: [...movers, turn], points, seats, over };
    history.estimates = points.map((_, ply) => this.#estimate(history, ply));
    return history;
  }

  /** Who is thought to win by how much in a position, for the first of two sides. */
  #estimate({ moves, movers, seats, over }, ply) {
    if (!this.#twoSides) return null;
    if (over && ply === moves.length) {
      return { lead: seats[ply][0] - seats[ply][1], exact: true };
    }
    const { match, reports } = this.#table;
    const sign = match.seatOf(movers[ply]) === 0 ? 1 : -1;
    const [best] = this.#analyst.values(moves.slice(0, ply)) ?? [];
    if (best) return this.#tells(best.exact) ? { lead: sign * best.lead, exact: best.exact } : null;
    const report = reports[ply];
    const lead = report && this.#leadOf(report, seats[ply]);
    return lead === undefined ? null : { lead: sign * lead, exact: report.exact };
  }

  /** What the search's score means in this game, see views.js. */
  get #meaning() {
    return VIEWS[this.#table.match.name].score ?? {};
  }

  /** Whether a value says who wins. */
  #tells(exact) {
    return exact || !this.#meaning.provenOnly;
  }

  /** The final lead that a search expects, for the player to move; none if it tells something else. */
  #leadOf({ score, exact, turn }, seats) {
    const { match } = this.#table;
    if (!this.#tells(exact)) return undefined;
    if (!this.#meaning.fromHere) return exact ? score : score / 100;
    const own = match.seatOf(turn);
    return score + seats[own] - seats[1 - own];
  }

  /** The points of each colour: `blue −12, yellow −9, red −20, green −4`. */
  #allPoints(points) {
    const { colors } = this.#table;
    return points.map((value, player) => `${colors[player]} ${numberText(value)}`).join(", ");
  }

  /** A position in words. */
  #describe(ply) {
    const { moves, movers, seats, points, estimates, over } = this.#shown;
    const { colors } = this.#table;
    const move = ply > 0 ? `${ply}. ${colors[movers[ply - 1]]} ${shortMove(moves[ply - 1])}` : "Start";
    if (!this.#twoSides) return `${move}: ${this.#allPoints(points[ply])}`;
    const estimate = estimates[ply];
    const score = seats[ply].map(numberText).join(" : ");
    if (ply === moves.length && over) return `${move}: the end, ${score}`;
    const unknown = this.#analyst.values(moves.slice(0, ply)) ? "undecided" : "not analysed";
    const guess = estimate ? this.#leadText(0, estimate.lead, estimate.exact) : unknown;
    return `${move}: ${guess}, points ${score}`;
  }

  #draw() {
    const isNew = !this.#shown;
    if (isNew) this.#shown = this.#history();
    this.#drawHead();
    this.#drawSearch();
    if (!isNew) return;
    this.#drawValues();
    this.#drawGraph();
  }

  #drawGraph() {
    const { match } = this.#table;
    const { estimates, points, seats, moves } = this.#shown;
    const lines = this.#twoSides
      ? [seats.map(([first, second]) => first - second)]
      : points[0].map((_, player) => points.map((row) => row[player]));
    this.#graph.show({
      plies: match.plies,
      last: moves.length,
      estimates: this.#twoSides ? estimates : null,
      lines,
      names: this.#twoSides ? [this.#table.sideOf(0), this.#table.sideOf(1)] : this.#table.colors,
      meaning: this.#meaning.name ?? "expected result",
      summary: this.#summary(),
    });
  }

  #drawHead() {
    const { who, bar } = this.#parts;
    const { match, thinking, colors } = this.#table;
    const turn = colors[match.turn];
    const searching = thinking && !thinking.ready;
    who.textContent = match.over ? "The game is over"
      : searching && thinking.purpose === "hint" ? "Looking for a hint"
      : searching ? `${turn} (${titleOf(this.#table.seatOf(match.turn))}) thinks`
      : this.#analyst.busy ? "Analysing"
      : `${turn} to move`;
    const percent = searching ? thinking.progress?.percent ?? 0 : 0;
    bar.classList.toggle("is-busy", Boolean(searching || this.#analyst.busy));
    bar.style.setProperty("--done", `${percent}%`);
  }

  /** The search whose line fits the position on the board: one that runs, or of a move or two ago. */
  #fitting() {
    const { match, reports, thinking } = this.#table;
    if (thinking?.progress) {
      return { report: { ...thinking.progress, turn: match.turn }, ply: match.plies };
    }
    const { moves } = match;
    for (let ply = moves.length; ply >= Math.max(0, moves.length - 2); ply--) {
      const report = reports[ply];
      const line = report?.line.split(" ") ?? [];
      if (report && moves.slice(ply).every((move, at) => move === line[at])) return { report, ply };
    }
    return null;
  }

  #drawSearch() {
    const { score, depth, nodes, speed } = this.#parts;
    const { match } = this.#table;
    const found = this.#fitting();
    const values = this.#analyst.values(match.moves);
    const report = found?.report;
    const lead = report && this.#leadOf(report, this.#shown.seats[found.ply]);
    if (match.over) {
      score.textContent = this.#result();
    } else if (lead !== undefined && (!values?.length || this.#table.thinking)) {
      score.textContent = this.#leadText(match.seatOf(report.turn), lead, report.exact);
    } else if (values?.length && this.#tells(values[0].exact)) {
      const [{ lead: best, exact }] = values;
      score.textContent = this.#leadText(match.seatOf(match.turn), best, exact);
    } else {
      score.textContent = values?.length ? "undecided" : "–";
    }
    depth.textContent = report?.depth || "–";
    nodes.textContent = report ? counted(report.nodes) : "–";
    const timed = this.#task?.progress && report?.nodes === this.#task.progress.nodes;
    speed.textContent = timed && this.#task.millis > 20
      ? counted(report.nodes / this.#task.millis * 1000) : "–";
    this.#drawLine(found);
  }

  #result() {
    const { match } = this.#table;
    if (!this.#twoSides) return "–";
    const [first, second] = match.seatScores;
    const lead = first - second;
    return lead === 0 ? "a draw" : `${this.#table.sideOf(lead > 0 ? 0 : 1)} won by ${Math.abs(lead)}`;
  }

  /** Moves as buttons that show them on the board; those that were made already only say so. */
  #drawLine(found) {
    const moves = found?.report.line.split(" ").filter(Boolean) ?? [];
    const made = found ? this.#table.match.plies - found.ply : 0;
    const key = `${made} ${moves.join(" ")} ${this.#position}`;
    if (key === this.#lineKey) return;
    this.#lineKey = key;
    this.#clearPreview();
    const past = (move) => make("span", { className: "insight-chip is-made", title: `${move}, made` },
      shortMove(move));
    const chips = moves.map((move, at) => at < made
      ? past(move)
      : this.#chip(move, moves.slice(made, at + 1), shortMove(move)));
    this.#parts.line.replaceChildren(...chips.map((chip) => make("li", {}, chip)));
  }

  #chip(move, line, label) {
    const show = () => {
      this.#previewed = true;
      this.#actions.preview(line);
    };
    const aria = { label: `${label}: show ${move} on the board` };
    const chip = button(label, show, { className: "insight-chip", title: move, aria });
    chip.addEventListener("pointerenter", show);
    chip.addEventListener("focus", show);
    chip.addEventListener("pointerleave", () => document.activeElement !== chip && this.#clearPreview());
    chip.addEventListener("blur", () => this.#clearPreview());
    return chip;
  }

  #clearPreview() {
    if (!this.#previewed) return;
    this.#previewed = false;
    this.#actions.preview([]);
  }

  #label(values) {
    this.#labelled = values.length > 0;
    this.#actions.showValues(values);
  }

  #drawValues() {
    const { values: list, valuesInput } = this.#parts;
    const { match } = this.#table;
    const wanted = valuesInput.checked && this.#table.personsTurn;
    const known = wanted ? this.#analyst.values(match.moves) : undefined;
    const values = (known ?? []).slice(0, SHOWN_VALUES).map(({ move, lead, exact }, at) => (
      { move, label: signed(lead, exact), best: at === 0 }
    ));
    const key = JSON.stringify([this.#position, values]);
    if (key === this.#valuesKey) return;
    this.#valuesKey = key;
    this.#label(values);
    list.replaceChildren(...values.map(({ move, label, best }) => {
      const chip = this.#chip(move, [move], shortMove(move));
      chip.classList.toggle("is-best", best);
      chip.append(make("b", {}, label));
      chip.setAttribute("aria-label", `${shortMove(move)} ${label}: show ${move} on the board`);
      return make("li", {}, chip);
    }));
  }

  /** The graph in a sentence or two. */
  #summary() {
    const { moves, points, estimates } = this.#shown;
    const { match } = this.#table;
    const length = plural(moves.length, "move");
    if (!this.#twoSides) {
      return `Points of each colour over ${length}. Now: ${this.#allPoints(points[match.plies])}.`;
    }
    const known = estimates.flatMap((estimate, ply) => estimate ? [{ ...estimate, ply }] : []);
    if (!known.length) return "Nothing is known yet about who wins.";
    const furthest = (sign) => known.reduce((one, other) => (
      other.lead * sign > one.lead * sign ? other : one
    ));
    const peaks = [1, -1].flatMap((sign) => {
      const { lead, exact, ply } = furthest(sign);
      const when = ply ? `after move ${ply}` : "at the start";
      return lead * sign < 0.05 ? [] : [`${this.#leadText(0, lead, exact)} ${when}`];
    });
    const most = peaks.length ? ` Furthest ahead: ${peaks.join("; ")}.` : " It was even throughout.";
    return `Expected result over ${length}.${most} Now: ${this.#describe(match.plies)}.`;
  }
}
