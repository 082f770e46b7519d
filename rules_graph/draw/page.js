/* The page of a rule graph. The data is a list of nodes in the order of the book and a list of edges between their
   places; everything that is drawn is derived from it and from `state`, which also lives in the address after '#'. */

const data = JSON.parse(document.getElementById("data").textContent);
const nodes = data.nodes,
  edges = data.edges,
  kinds = data.kinds;
const byId = new Map(nodes.map((node, place) => [node.id, place]));
const words = {
  en: {
    ring: "Ring",
    around: "Around",
    search: "Search number, title, text  ( / )",
    none: "nothing found",
    rules: "rules",
    holds: "holds",
    fold: "fold all",
    hint: "Click a rule to light what it touches, double-click to unfold or go around it. Wheel zooms, drag moves.",
    hintAround:
      "Left: what leans on the rule. Right: what it leans on. Above: what overrides it. Below: what it overrides. Click a card to go there.",
    examples: "Examples",
    line: "line",
    more: "more",
    pick: "Choose a rule in the ring, in the outline or by search.",
    most: "Most leaned on",
    missing: "is named, but not in this book",
    theme: "◐ Theme",
    go: "Go around it",
    unfold: "Unfold",
    foldOne: "Fold",
  },
  ru: {
    ring: "Кольцо",
    around: "Вокруг",
    search: "Поиск: номер, название, текст  ( / )",
    none: "ничего не найдено",
    rules: "правил",
    holds: "содержит",
    fold: "свернуть всё",
    hint: "Щелчок по правилу подсвечивает его связи, двойной — раскрывает или показывает окружение. Колесо — масштаб, перетаскивание — сдвиг.",
    hintAround:
      "Слева — что опирается на правило, справа — на что опирается оно, сверху — что старше его, снизу — кого старше оно. Щелчок по карточке ведёт к ней.",
    examples: "Примеры",
    line: "строка",
    more: "ещё",
    pick: "Выберите правило на кольце, в оглавлении или поиском.",
    most: "На них опираются чаще всего",
    missing: "упомянуто, но в этой книге его нет",
    theme: "◐ Тема",
    go: "Окружение",
    unfold: "Раскрыть",
    foldOne: "Свернуть",
  },
};
const state = {
  view: "ring",
  chosen: -1,
  open: new Set(),
  off: new Set(),
  kinds: new Set(),
  query: "",
  hits: new Set(),
  lang: data.lang,
  wide: new Set(),
};
const el = (id) => document.getElementById(id);
const say = (key) => words[state.lang][key];
const escape = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const title = (node) => node["t" + state.lang] || node.ten || node.tru || "";
const text = (node) => node["x" + state.lang] || node.xen || node.xru || "";
const name = (node) => title(node) || (node.n ? "" : node.id);
const short = (words, length) => (words.length > length ? words.slice(0, length - 1).trimEnd() + "…" : words);
const brief = (node, length) => short(name(node) || text(node).split("\n")[0], length);

/* ---- the tree of the book and the edges of each rule */
const children = nodes.map(() => []),
  roots = [];
nodes.forEach((node, place) => (node.p >= 0 ? children[node.p] : roots).push(place));
const weight = nodes.map(() => 0),
  depth = nodes.map(() => 0),
  hue = nodes.map(() => 0);
const order = [];
(function walk(list, level, tone) {
  list.forEach((place, position) => {
    depth[place] = level;
    hue[place] = level === 0 ? data.hues[position % data.hues.length] : tone;
    order.push(place);
    walk(children[place], level + 1, hue[place]);
    weight[place] =
      (nodes[place].k === "section" ? 0 : 1) + children[place].reduce((sum, child) => sum + weight[child], 0);
  });
})(roots, 0, 0);
const out = nodes.map(() => []),
  into = nodes.map(() => []);
edges.forEach((edge, place) => {
  out[edge[0]].push(place);
  into[edge[1]].push(place);
});
const rank = nodes.map((_, place) => into[place].length);
const shown = kinds.filter((kind) => edges.some((edge) => kinds[edge[2]] === kind));
shown.forEach((kind) => state.kinds.add(kind));
const drawn = (edge) => state.kinds.has(kinds[edge[2]]);
const dash = (kind) => (kind === "depends" ? " dashed" : kind === "see_also" ? " dotted" : "");
const top = (place) => {
  while (nodes[place].p >= 0) place = nodes[place].p;
  return place;
};

/* ---- which nodes stand on the ring */
function leaves() {
  const found = [];
  const visit = (place) => {
    if (state.off.has(top(place))) return;
    if (children[place].length && state.open.has(place)) {
      if (out[place].length || into[place].length || nodes[place].k === "rule") found.push(place);
      children[place].forEach(visit);
    } else found.push(place);
  };
  roots.forEach(visit);
  return found;
}
function openUntil(limit) {
  /* unfold whole levels as long as the ring stays readable; a part too large to unfold stays folded */
  state.open.clear();
  for (let level = 0; level < 4; level++) {
    const ready = leaves().filter(
      (place) =>
        depth[place] === level &&
        children[place].length &&
        (level > 0 || children[place].length <= limit / 2),
    );
    ready.forEach((place) => state.open.add(place));
    if (leaves().length > limit) {
      ready.forEach((place) => state.open.delete(place));
      return;
    }
  }
}
function reveal(place) {
  for (let above = nodes[place].p; above >= 0; above = nodes[above].p) state.open.add(above);
  state.off.delete(top(place));
}

/* ---- the ring: hierarchical edge bundling */
function ring() {
  const list = leaves(),
    at = new Map(),
    count = list.length;
  let slots = 0,
    before = -1;
  const slot = list.map((place) => {
    const section = top(place);
    if (section !== before) {
      slots += count > 12 ? 1.6 : 0.3;
      before = section;
    }
    return slots++;
  });
  slots += count > 12 ? 1.6 : 0.3;
  const radius = Math.max(190, (slots * 14.5) / (2 * Math.PI));
  const angle = new Map();
  list.forEach((place, position) => {
    at.set(place, position);
    angle.set(place, (slot[position] / slots) * 2 * Math.PI - Math.PI / 2);
  });
  const standsFor = new Map();
  const represent = (place) => {
    if (standsFor.has(place)) return standsFor.get(place);
    let found = -1;
    for (let above = place; above >= 0; above = nodes[above].p)
      if (at.has(above) && !(above !== place && state.open.has(above))) found = above;
    if (found < 0 && at.has(place)) found = place;
    standsFor.set(place, found);
    return found;
  };
  /* inner points of the tree: at the middle of what they hold, the deeper the farther out */
  const span = new Map();
  list.forEach((place) => {
    for (let above = place; above >= 0; above = nodes[above].p) {
      const here = angle.get(place),
        known = span.get(above);
      span.set(above, known ? [Math.min(known[0], here), Math.max(known[1], here)] : [here, here]);
    }
  });
  const deepest = Math.max(1, ...list.map((place) => depth[place]));
  const inner = (place) => {
    const [low, high] = span.get(place),
      middle = (low + high) / 2,
      far = radius * 0.82 * ((depth[place] + 1) / (deepest + 1.4));
    return [Math.cos(middle) * far, Math.sin(middle) * far];
  };
  const point = (place) => [Math.cos(angle.get(place)) * radius, Math.sin(angle.get(place)) * radius];
  const chain = (place) => {
    const found = [];
    for (let above = nodes[place].p; above >= 0; above = nodes[above].p)
      if (above !== place) found.push(above);
    return found;
  };
  const bundles = new Map();
  edges.forEach((edge) => {
    if (!drawn(edge)) return;
    const a = represent(edge[0]),
      b = represent(edge[1]);
    if (a < 0 || b < 0 || a === b) return;
    const key = `${a},${b},${edge[2]}`;
    bundles.set(key, (bundles.get(key) || 0) + 1);
  });
  const chosen = state.chosen >= 0 ? represent(state.chosen) : -1;
  const near = new Set([chosen]);
  const plain = bundles.size > 900 ? 0.2 : bundles.size > 300 ? 0.34 : 0.55;
  const paths = [...bundles]
    .map(([key, number]) => [...key.split(",").map(Number), number])
    .sort((x, y) => y[2] - x[2] || x[3] - y[3])
    .map(([a, b, kind, number]) => {
      const on = chosen >= 0 && (a === chosen || b === chosen);
      if (on) {
        near.add(a);
        near.add(b);
      }
      const up = chain(a),
        down = chain(b),
        shared = up.find((place) => down.includes(place));
      const climb = shared === undefined ? up : up.slice(0, up.indexOf(shared)),
        descend = shared === undefined ? down : down.slice(0, down.indexOf(shared));
      const middle = climb.length + descend.length ? [] : [shared === undefined ? [0, 0] : inner(shared)];
      const points = [
        point(a),
        ...climb.map(inner),
        ...(shared === undefined ? [[0, 0]] : middle),
        ...descend.reverse().map(inner),
        point(b),
      ];
      const width = Math.min(7, 0.8 + Math.sqrt(number) * 0.5) * (kinds[kind] === "overrides" ? 1.6 : 1);
      return `<path class="edge${dash(kinds[kind])}${on ? " on" : ""}" style="--c:var(--${kinds[kind]});opacity:${plain}" stroke-width="${width.toFixed(1)}"${on || (kinds[kind] === "overrides" && bundles.size < 300) ? ` marker-end="url(#to-${kinds[kind]})"` : ""} d="${spline(points, 0.82)}"/>`;
    });
  const marks = list.map((place) => {
    const node = nodes[place],
      turn = (angle.get(place) * 180) / Math.PI,
      left = Math.cos(angle.get(place)) < 0;
    const folded = children[place].length && !state.open.has(place);
    const size = folded ? Math.min(9, 3.5 + Math.sqrt(weight[place]) * 0.35) : 3.6;
    const hit = state.hits.size && [...state.hits].some((found) => represent(found) === place);
    const label = `<tspan class="no">${escape(node.n)}</tspan> ${escape(brief(node, node.n ? 34 : 38))}${folded ? ` <tspan fill="var(--soft)">(${weight[place]})</tspan>` : ""}`;
    return `<g class="leaf${folded ? " more" : ""}${node.k === "missing" ? " missing" : ""}${place === chosen ? " sel" : ""}${near.has(place) ? " near" : ""}${hit ? " hit" : ""}" data-place="${place}" style="--hue:${hue[place]}" transform="rotate(${turn.toFixed(2)}) translate(${radius.toFixed(1)})"><title>${escape(node.n + " " + (name(node) || short(text(node), 200)))}</title><circle r="${size.toFixed(1)}"/><text ${left ? 'transform="rotate(180)" text-anchor="end" x="-30"' : 'x="30"'}>${label}</text></g>`;
  });
  const bands = [];
  span.forEach(([low, high], place) => {
    if (!state.open.has(place) || depth[place] > 0) return;
    const half = Math.PI / slots,
      from = low - half,
      to = high + half,
      near = radius + 11,
      far = radius + 24;
    bands.push(
      `<path class="band" data-fold="${place}" style="--hue:${hue[place]}" d="${arc(near, far, from, to)}"><title>${escape(nodes[place].n + " " + name(nodes[place]))}</title></path>`,
    );
    const low2 = Math.sin((from + to) / 2) > 0,
      line = radius + 20.5 - (low2 ? -1.5 : 5);
    const label = `${nodes[place].n} ${name(nodes[place])}`.trim(),
      room = Math.floor(((to - from) * line) / 7.6);
    if (room > 2)
      bands.push(
        `<path id="arc${place}" fill="none" d="${low2 ? bow(line, to, from, 0) : bow(line, from, to, 1)}"/><text class="band-name" style="--hue:${hue[place]};font-size:10.5px" text-anchor="middle"><textPath href="#arc${place}" startOffset="50%">${escape(short(label, room))}</textPath></text>`,
      );
  });
  const longest = Math.max(
    ...list.map(
      (place) =>
        Math.min(40, nodes[place].n.length + name(nodes[place]).length + (children[place].length ? 6 : 0)) ||
        40,
    ),
  );
  const tall = radius + 44 + 6.4 * longest;
  el("stage").innerHTML =
    `<svg class="${chosen >= 0 ? "lit" : ""}" style="--big:${Math.max(13, radius / 30).toFixed(0)}px">${markers()}<g>${bands.join("")}${paths.join("")}${marks.join("")}</g></svg>`;
  document.body.dataset.leaves = count;
  document.body.dataset.bundles = bundles.size;
  document.body.dataset.near = near.size - (chosen < 0 ? 1 : 0);
  return { left: -tall, top: -tall, width: 2 * tall, height: 2 * tall };
}
function markers() {
  return `<defs>${shown.map((kind) => `<marker id="to-${kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path style="--c:var(--${kind})" d="M0,1L10,5L0,9Z"/></marker>`).join("")}</defs>`;
}
function spline(points, tension) {
  const first = points[0],
    last = points[points.length - 1],
    steps = points.length - 1;
  const eased = points.map(([x, y], step) => [
    tension * x + (1 - tension) * (first[0] + ((last[0] - first[0]) * step) / steps),
    tension * y + (1 - tension) * (first[1] + ((last[1] - first[1]) * step) / steps),
  ]);
  const f = (value) => value.toFixed(1);
  if (eased.length < 3) return `M${f(first[0])},${f(first[1])}L${f(last[0])},${f(last[1])}`;
  /* a uniform cubic B-spline that begins and ends in the end points */
  const all = [eased[0], ...eased, eased[eased.length - 1]];
  let path = `M${f(eased[0][0])},${f(eased[0][1])}`;
  for (let step = 0; step + 2 < all.length; step++) {
    const [a, b, c] = [all[step], all[step + 1], all[step + 2]];
    path += `C${f((2 * a[0] + b[0]) / 3)},${f((2 * a[1] + b[1]) / 3)} ${f((a[0] + 2 * b[0]) / 3)},${f((a[1] + 2 * b[1]) / 3)} ${f((a[0] + 4 * b[0] + c[0]) / 6)},${f((a[1] + 4 * b[1] + c[1]) / 6)}`;
  }
  return path + `L${f(last[0])},${f(last[1])}`;
}
const polar = (radius, angle) =>
  `${(Math.cos(angle) * radius).toFixed(1)},${(Math.sin(angle) * radius).toFixed(1)}`;
const arc = (near, far, from, to) => {
  const big = to - from > Math.PI ? 1 : 0;
  return `M${polar(near, from)}A${near},${near} 0 ${big} 1 ${polar(near, to)}L${polar(far, to)}A${far},${far} 0 ${big} 0 ${polar(far, from)}Z`;
};
const bow = (radius, from, to, sweep) =>
  `M${polar(radius, from)}A${radius},${radius} 0 ${Math.abs(to - from) > Math.PI ? 1 : 0} ${sweep} ${polar(radius, to)}`;

/* ---- around a rule: cards in columns */
function around() {
  const self = state.chosen,
    stage = el("stage"),
    lists = { left: [], right: [], above: [], below: [] };
  /* a part of the book stands for all that it holds: what leads into it and out of it, each rule once */
  const inside = new Set(),
    seen = new Set();
  (function hold(place) {
    inside.add(place);
    children[place].forEach(hold);
  })(self);
  const add = (side, other, edge) => {
    const key = `${side} ${other} ${edge[2]}`;
    if (drawn(edge) && !inside.has(other) && !seen.has(key)) {
      seen.add(key);
      lists[side].push([other, edge]);
    }
  };
  inside.forEach((place) => {
    into[place].forEach((number) => {
      const edge = edges[number];
      add(kinds[edge[2]] === "overrides" ? "above" : "left", edge[0], edge);
    });
    out[place].forEach((number) => {
      const edge = edges[number];
      add(kinds[edge[2]] === "overrides" ? "below" : "right", edge[1], edge);
    });
  });
  stage.innerHTML = `<svg>${markers()}<g id="links"></g></svg>`;
  const node = nodes[self];
  const centre = card(
    self,
    `<h2><b>${escape(node.n)}</b> ${escape(name(node))}</h2><p>${escape(text(node))}</p>`,
    "card self",
  );
  const half = centre.offsetHeight / 2;
  place(centre, -190, -half);
  const made = [];
  const limit = (side, list) => (state.wide.has(side) || list.length <= 15 ? list : list.slice(0, 13));
  /* the columns keep clear of the rows above and below */
  const perRow = (side) => (lists[side].length > 6 ? 3 : Math.min(2, lists[side].length)),
    across = (Math.max(perRow("above"), perRow("below")) * 312) / 2,
    far = Math.max(340, across + 50);
  for (const [side, x] of [
    ["left", -far - 300],
    ["right", far],
  ]) {
    const list = lists[side].sort((a, b) => a[1][2] - b[1][2] || a[0] - b[0]),
      items = [];
    let kind = -1;
    for (const [other, edge] of limit(side, list)) {
      if (edge[2] !== kind) {
        kind = edge[2];
        const count = list.filter((item) => item[1][2] === kind).length;
        items.push([label(kind, side === "left", count), null]);
      }
      items.push([card(other, brief2(other, edge)), edge]);
    }
    if (limit(side, list).length < list.length)
      items.push([moreCard(side, list.length - limit(side, list).length), null]);
    let y = -items.reduce((sum, item) => sum + item[0].offsetHeight + 8, 0) / 2;
    for (const [element, edge] of items) {
      place(element, x, y);
      if (edge) made.push([element, edge, side]);
      y += element.offsetHeight + 8;
    }
  }
  for (const [side, sign] of [
    ["above", -1],
    ["below", 1],
  ]) {
    const list = lists[side].sort((a, b) => a[0] - b[0]),
      some = limit(side, list);
    const items = some.map(([other, edge]) => [card(other, brief2(other, edge)), edge]);
    if (some.length < list.length) items.push([moreCard(side, list.length - some.length), null]);
    let y = half + 60;
    for (let row = 0; row < items.length; row += perRow(side)) {
      const cards = items.slice(row, row + perRow(side)),
        tall = Math.max(...cards.map((item) => item[0].offsetHeight));
      cards.forEach(([element, edge], column) => {
        place(element, (column - cards.length / 2) * 312 + 6, sign < 0 ? -y - element.offsetHeight : y);
        if (edge) made.push([element, edge, side]);
      });
      y += tall + 14;
    }
    if (items.length) {
      const head = label(kinds.indexOf("overrides"), side === "above", list.length);
      place(head, items[0][0].offsetLeft, sign < 0 ? -y - 10 : y - 6);
    }
  }
  el("links").innerHTML = made.map(([element, edge, side]) => link(element, edge, side, half)).join("");
  const boxes = [...stage.querySelectorAll(".card,.kind-name")].map((box) => [
    box.offsetLeft,
    box.offsetTop,
    box.offsetLeft + box.offsetWidth,
    box.offsetTop + box.offsetHeight,
  ]);
  const left = Math.min(...boxes.map((box) => box[0])),
    up = Math.min(...boxes.map((box) => box[1]));
  document.body.dataset.cards = boxes.length;
  return {
    left: left - 20,
    top: up - 20,
    width: Math.max(...boxes.map((box) => box[2])) - left + 40,
    height: Math.max(...boxes.map((box) => box[3])) - up + 80,
  };
}
function brief2(other, edge) {
  const node = nodes[other],
    said = edge[4] ? `<small>${escape(short(edge[4].split(" | ")[0].split(" < ")[0], 70))}</small>` : "";
  return `<b>${escape(node.n)}</b> ${escape(brief(node, 90))}${said}`;
}
function card(place, html, style = "card") {
  const element = document.createElement("div");
  element.className = style + (nodes[place].k === "missing" ? " missing" : "");
  element.style.setProperty("--hue", hue[place]);
  if (style === "card") element.dataset.place = place;
  element.innerHTML = html;
  el("stage").append(element);
  return element;
}
function moreCard(side, count) {
  const element = document.createElement("div");
  element.className = "card more";
  element.dataset.wide = side;
  element.textContent = `+ ${count} ${say("more")}`;
  el("stage").append(element);
  return element;
}
function label(kind, incoming, count) {
  const element = document.createElement("div");
  element.className = "kind-name";
  element.style.setProperty("--c", `var(--${kinds[kind]})`);
  element.textContent = `${data.phrases[state.lang][kinds[kind]][incoming ? 1 : 0]} (${count})`;
  el("stage").append(element);
  return element;
}
function place(element, x, y) {
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
}
function link(element, edge, side, half) {
  const x = element.offsetLeft,
    y = element.offsetTop,
    w = element.offsetWidth,
    h = element.offsetHeight,
    kind = kinds[edge[2]];
  let path;
  if (side === "left") {
    const aim = Math.max(-half + 14, Math.min(half - 14, (y + h / 2) * 0.25));
    path = `M${x + w},${y + h / 2}C${x + w + 80},${y + h / 2} -270,${aim} -192,${aim}`;
  } else if (side === "right") {
    const aim = Math.max(-half + 14, Math.min(half - 14, (y + h / 2) * 0.25));
    path = `M192,${aim}C270,${aim} ${x - 80},${y + h / 2} ${x},${y + h / 2}`;
  } else {
    const mid = x + w / 2,
      low = side === "below" ? half : -half - 2,
      end = side === "below" ? y - 2 : y + h,
      bend = (low + end) / 2;
    path =
      side === "below"
        ? `M${mid * 0.3},${low}C${mid * 0.3},${bend} ${mid},${bend} ${mid},${end}`
        : `M${mid},${end}C${mid},${bend} ${mid * 0.3},${bend} ${mid * 0.3},${low}`;
  }
  return `<path class="edge${dash(kind)}" style="--c:var(--${kind});opacity:.7" stroke-width="${kind === "overrides" ? 2.6 : 1.7}" marker-end="url(#to-${kind})" d="${path}"/>`;
}

/* ---- outline, panel, search */
function outline() {
  const rows = [];
  const visit = (place, level) => {
    const node = nodes[place],
      many = children[place].length,
      open = state.open.has(place),
      off = state.off.has(top(place));
    const box =
      level === 0
        ? `<input type="checkbox" data-section="${place}" style="--c:hsl(${hue[place]} 48% 45%)" ${off ? "" : "checked"}>`
        : "";
    rows.push(
      `<div data-place="${place}" class="${place === state.chosen ? "on" : ""}${off ? " off" : ""}" style="padding-left:${4 + level * 13}px"><button class="fold" data-fold="${place}" tabindex="-1">${many ? (open ? "▼" : "▶") : ""}</button>${box}<b>${escape(node.n)}</b><span>${escape(brief(node, 80))}</span>${many && !open ? `<em>${weight[place]}</em>` : ""}</div>`,
    );
    if (open && !off) children[place].forEach((child) => visit(child, level + 1));
  };
  roots.forEach((place) => visit(place, 0));
  el("outline").innerHTML = rows.join("");
  const on = el("outline").querySelector(".on");
  if (on) on.scrollIntoView({ block: "nearest" });
}
function linked(node, place) {
  /* numbers in the text that the rule refers to become links */
  let html = escape(text(node));
  const targets = [...new Set(out[place].map((edge) => edges[edge][1]))]
    .filter((other) => nodes[other].n)
    .sort((a, b) => nodes[b].n.length - nodes[a].n.length);
  if (targets.length) {
    const numbers = new Map(targets.map((other) => [nodes[other].n, other]));
    const pattern = new RegExp(
      `(?<![\\w.])(${[...numbers.keys()].map((number) => number.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?!\\w|\\.\\d)`,
      "g",
    );
    html = html.replace(pattern, (number) => `<a data-place="${numbers.get(number)}">${number}</a>`);
  }
  return html;
}
function panel() {
  const aside = el("panel");
  if (state.chosen < 0) {
    const best = order
      .filter((place) => nodes[place].k !== "missing")
      .sort((a, b) => rank[b] - rank[a])
      .slice(0, 14);
    const counts = shown
      .map(
        (kind) =>
          `<dt>${edges.filter((edge) => kinds[edge[2]] === kind).length}</dt><dd>${data.phrases[state.lang][kind][0]}</dd>`,
      )
      .join("");
    aside.innerHTML = `<h2>${escape(data.name)}</h2><dl><dt>${data.count}</dt><dd>${say("rules")}</dd>${counts}</dl><p>${say("pick")}</p><h3>${say("most")}</h3><ul>${best.map((place) => `<li data-place="${place}"><b>${escape(nodes[place].n)}</b> ${escape(brief(nodes[place], 60))} <small style="display:inline">${rank[place]}</small></li>`).join("")}</ul>`;
    return;
  }
  const node = nodes[state.chosen],
    folded = children[state.chosen].length;
  const tags = node.g
    ? `<div class="tags">${node.g
        .split("; ")
        .map((tag) => `<span>${escape(tag)}</span>`)
        .join("")}</div>`
    : "";
  const where = node.f
    ? `<div class="where">${escape(node.f)}${node.l ? `, ${say("line")} ${node.l}` : ""}</div>`
    : "";
  const examples = node.e
    ? `<details><summary>${say("examples")}</summary>${node.e
        .split("\n\n")
        .map((one) => `<p>${escape(one)}</p>`)
        .join("")}</details>`
    : "";
  const buttons = `<p>${state.view === "around" ? "" : `<button data-go="1">${say("go")}</button> `}${folded ? `<button data-fold="${state.chosen}">${state.open.has(state.chosen) ? say("foldOne") : say("unfold")} (${folded})</button>` : ""}</p>`;
  const relation = (list, kind, incoming) => {
    const some = list.filter((place) => kinds[edges[place][2]] === kind);
    if (!some.length) return "";
    const rows = some.map((place) => {
      const edge = edges[place],
        other = incoming ? edge[0] : edge[1];
      return `<li data-place="${other}"><b>${escape(nodes[other].n)}</b> ${escape(brief(nodes[other], 70))}${edge[4] ? `<small>${escape(short(edge[4], 120))}${edge[3] ? ` · ${say("line")} ${edge[3]}` : ""}</small>` : ""}</li>`;
    });
    return `<h3 class="${dash(kind).trim()}" style="--c:var(--${kind})"><i></i>${data.phrases[state.lang][kind][incoming ? 1 : 0]} (${some.length})</h3><ul>${rows.join("")}</ul>`;
  };
  const relations = shown
    .map((kind) =>
      kind === "overrides"
        ? relation(into[state.chosen], kind, true) + relation(out[state.chosen], kind, false)
        : relation(out[state.chosen], kind, false) + relation(into[state.chosen], kind, true),
    )
    .join("");
  const inside = folded
    ? `<h3>${say("holds")} (${folded})</h3><ul>${children[state.chosen]
        .slice(0, 60)
        .map(
          (place) =>
            `<li data-place="${place}"><b>${escape(nodes[place].n)}</b> ${escape(brief(nodes[place], 70))}</li>`,
        )
        .join("")}</ul>`
    : "";
  const lost = node.k === "missing" ? `<p>${say("missing")}</p>` : "";
  aside.innerHTML = `<h2 style="--h:hsl(${hue[state.chosen]} 50% var(--word-l))"><b>${escape(node.n)}</b> ${escape(name(node))}</h2>${where}${tags}${lost}<p>${linked(node, state.chosen)}</p>${examples}${buttons}${relations}${inside}`;
  aside.scrollTop = 0;
}
function search() {
  const query = state.query.trim().toLowerCase(),
    list = el("hits");
  state.hits = new Set();
  if (!query) {
    list.hidden = true;
    return [];
  }
  const scored = [];
  order.forEach((place) => {
    const node = nodes[place],
      number = node.n.toLowerCase(),
      head = title(node).toLowerCase(),
      body = text(node).toLowerCase();
    const score =
      number === query || head === query
        ? 100
        : number.startsWith(query) && query
          ? 60 - number.length
          : head.startsWith(query)
            ? 50
            : head.includes(query)
              ? 40
              : body.includes(query)
                ? 10
                : 0;
    if (score) scored.push([score + Math.min(9, Math.log2(1 + rank[place])), place]);
  });
  scored.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  state.hits = new Set(scored.slice(0, 400).map((pair) => pair[1]));
  const lit = (words) => {
    const at = words.toLowerCase().indexOf(query);
    return at < 0
      ? escape(short(words, 90))
      : escape((at > 30 ? "…" : "") + words.slice(Math.max(0, at - 30), at)) +
          `<mark>${escape(words.slice(at, at + query.length))}</mark>` +
          escape(short(words.slice(at + query.length), 60));
  };
  list.innerHTML =
    scored
      .slice(0, 40)
      .map(
        ([, place], position) =>
          `<li data-place="${place}" class="${position ? "" : "on"}"><b>${lit(nodes[place].n)}</b> ${lit(title(nodes[place]))}<small>${lit(text(nodes[place]).replace(/\n/g, " "))}</small></li>`,
      )
      .join("") || `<li>${say("none")}</li>`;
  list.hidden = document.activeElement !== el("query");
  document.body.dataset.hits = scored.length;
  return scored.map((pair) => pair[1]);
}

/* ---- pan and zoom */
const camera = { x: 0, y: 0, scale: 1, box: null };
function move() {
  el("stage").style.transform = `translate(${camera.x}px,${camera.y}px) scale(${camera.scale})`;
}
function fit() {
  const room = el("scene").getBoundingClientRect(),
    box = camera.box;
  camera.scale = Math.min(1.35, room.width / box.width, room.height / box.height);
  camera.x = room.width / 2 - (box.left + box.width / 2) * camera.scale;
  camera.y = room.height / 2 - (box.top + box.height / 2) * camera.scale;
  move();
}
function zoom(factor, x, y) {
  const scale = Math.max(0.1, Math.min(8, camera.scale * factor));
  camera.x = x - ((x - camera.x) * scale) / camera.scale;
  camera.y = y - ((y - camera.y) * scale) / camera.scale;
  camera.scale = scale;
  move();
}
const pointers = new Map();
let moved = 0;
el("scene").addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const room = el("scene").getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - room.left, event.clientY - room.top);
  },
  { passive: false },
);
el("scene").addEventListener("pointerdown", (event) => {
  if (event.target.closest(".zoom")) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  moved = 0;
});
addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  const other = [...pointers].find(([id]) => id !== event.pointerId);
  if (other) {
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]),
      room = el("scene").getBoundingClientRect();
    zoom(
      far([event.clientX, event.clientY], other[1]) / Math.max(1, far(before, other[1])),
      other[1][0] - room.left,
      other[1][1] - room.top,
    );
  } else {
    camera.x += event.clientX - before[0];
    camera.y += event.clientY - before[1];
    move();
  }
  moved += Math.abs(event.clientX - before[0]) + Math.abs(event.clientY - before[1]);
  if (moved > 4) el("scene").classList.add("moving");
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const end of ["pointerup", "pointercancel"])
  addEventListener(end, (event) => {
    pointers.delete(event.pointerId);
    el("scene").classList.remove("moving");
  });

/* ---- drawing it all, and the address */
function draw(keep) {
  if (state.view === "around" && state.chosen < 0) state.view = "ring";
  document.documentElement.lang = state.lang;
  el("title").innerHTML = `${escape(data.name)}<small>${data.count} ${say("rules")}</small>`;
  el("query").placeholder = say("search");
  for (const view of ["ring", "around"]) {
    const button = el("to-" + view);
    button.textContent = say(view);
    button.setAttribute("aria-pressed", state.view === view);
  }
  el("to-around").disabled = state.chosen < 0;
  el("language").textContent = state.lang === "en" ? "RU" : "EN";
  el("theme").textContent = say("theme");
  el("fold").title = say("fold");
  el("kinds").innerHTML = shown
    .map(
      (kind) =>
        `<button data-kind="${kind}" class="${dash(kind).trim()}" style="--c:var(--${kind})" aria-pressed="${state.kinds.has(kind)}"><i></i>${data.phrases[state.lang][kind][0]}</button>`,
    )
    .join("");
  el("hint").textContent = say(state.view === "ring" ? "hint" : "hintAround");
  const box = state.view === "ring" ? ring() : around();
  if (!keep || !camera.box || state.view === "around") {
    camera.box = box;
    fit();
  } else camera.box = box;
  outline();
  panel();
  const body = document.body.dataset;
  body.view = state.view;
  body.chosen = state.chosen >= 0 ? nodes[state.chosen].id : "";
  body.ready = "yes";
  remember();
}
function choose(place, view) {
  state.chosen = place;
  state.wide.clear();
  if (view) state.view = view;
  if (place >= 0) reveal(place);
  draw(state.view === "ring" && !view);
}
function toggle(place) {
  if (!children[place].length) return;
  state.open.has(place) ? state.open.delete(place) : state.open.add(place);
  draw(true);
  if (state.view === "ring") fit();
}
let quiet = false;
function remember() {
  const parts = [];
  if (state.chosen >= 0) parts.push(`r=${encodeURIComponent(nodes[state.chosen].id)}`);
  if (state.view === "around") parts.push("v=around");
  if (state.query) parts.push(`q=${encodeURIComponent(state.query)}`);
  quiet = true;
  try {
    history.replaceState(
      null,
      "",
      parts.length ? "#" + parts.join("&") : location.pathname.split("/").pop() || "#",
    );
  } catch {
    /* a page without an address */
  }
  quiet = false;
}
function recall() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has("lang")) state.lang = wanted.get("lang") === "ru" ? "ru" : "en";
  if (wanted.has("theme")) document.documentElement.dataset.theme = wanted.get("theme");
  if (wanted.has("fold")) state.open.clear();
  for (const id of (wanted.get("open") || "").split(","))
    if (byId.has(id)) {
      reveal(byId.get(id));
      state.open.add(byId.get(id));
    }
  if (wanted.has("k")) state.kinds = new Set(wanted.get("k").split(","));
  for (const id of (wanted.get("off") || "").split(",")) if (byId.has(id)) state.off.add(byId.get(id));
  if (wanted.has("r") && byId.has(wanted.get("r"))) {
    state.chosen = byId.get(wanted.get("r"));
    reveal(state.chosen);
  }
  state.view = wanted.get("v") === "around" && state.chosen >= 0 ? "around" : "ring";
  state.query = wanted.get("q") || "";
  el("query").value = state.query;
  const found = search();
  if (wanted.has("go") && found.length) {
    state.chosen = found[0];
    reveal(state.chosen);
  }
}
document.addEventListener("click", (event) => {
  if (moved > 4) {
    moved = 0;
    return;
  }
  const hit = (name) => {
    const found = event.target.closest(`[data-${name}]`);
    return found && found.dataset[name];
  };
  const section = hit("section"),
    kind = hit("kind"),
    wide = hit("wide");
  if (section) {
    const place = Number(section);
    state.off.has(place) ? state.off.delete(place) : state.off.add(place);
    draw(true);
  } else if (hit("fold")) toggle(Number(hit("fold")));
  else if (kind) {
    state.kinds.has(kind) ? state.kinds.delete(kind) : state.kinds.add(kind);
    draw(true);
  } else if (wide) {
    state.wide.add(wide);
    draw();
  } else if (hit("go")) choose(state.chosen, "around");
  else if (hit("place")) {
    el("hits").hidden = true;
    choose(Number(hit("place")));
  } else if (
    event.target.closest("#scene") &&
    !event.target.closest(".zoom") &&
    state.view === "ring" &&
    state.chosen >= 0
  )
    choose(-1);
  if (!event.target.closest(".find")) el("hits").hidden = true;
});
el("stage").addEventListener("dblclick", (event) => {
  const found = event.target.closest("[data-place]");
  if (!found || state.view !== "ring") return;
  const place = Number(found.dataset.place);
  children[place].length && !state.open.has(place) ? toggle(place) : choose(place, "around");
});
el("query").addEventListener("input", () => {
  state.query = el("query").value;
  search();
  if (state.view === "ring") draw(true);
  el("hits").hidden = !state.query;
});
el("query").addEventListener("focus", () => {
  if (state.query) {
    search();
    el("hits").hidden = false;
  }
});
el("query").addEventListener("keydown", (event) => {
  const rows = [...el("hits").querySelectorAll("[data-place]")],
    at = rows.findIndex((row) => row.classList.contains("on"));
  if (event.key === "Enter" && rows[at]) {
    el("hits").hidden = true;
    el("query").blur();
    choose(Number(rows[at].dataset.place));
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
    rows.forEach((row, place) => row.classList.toggle("on", place === next));
    if (rows[next]) rows[next].scrollIntoView({ block: "nearest" });
  } else if (event.key === "Escape") {
    el("query").value = state.query = "";
    search();
    el("query").blur();
    draw(true);
  }
});
addEventListener("keydown", (event) => {
  if (event.target === el("query")) return;
  if (event.key === "/") {
    event.preventDefault();
    el("query").focus();
  } else if (event.key === "Escape") state.view === "around" ? choose(state.chosen, "ring") : choose(-1);
});
el("to-ring").onclick = () => choose(state.chosen, "ring");
el("to-around").onclick = () => choose(state.chosen, "around");
el("closer").onclick = () => {
  const room = el("scene").getBoundingClientRect();
  zoom(1.4, room.width / 2, room.height / 2);
};
el("farther").onclick = () => {
  const room = el("scene").getBoundingClientRect();
  zoom(1 / 1.4, room.width / 2, room.height / 2);
};
el("fit").onclick = fit;
el("fold").onclick = () => {
  state.open.clear();
  state.chosen = -1;
  draw();
};
el("language").onclick = () => {
  state.lang = state.lang === "en" ? "ru" : "en";
  draw(true);
};
el("theme").onclick = () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
};
addEventListener("hashchange", () => {
  if (!quiet) {
    recall();
    draw();
  }
});
addEventListener("resize", fit);
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches
  ? "dark"
  : "light";
openUntil(data.leaves);
if (data.focus >= 0) {
  state.chosen = data.focus;
  state.view = "around";
  reveal(state.chosen);
}
if (location.hash.length > 1) recall();
draw();
