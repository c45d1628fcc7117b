// Draws the scenes of the engine: the shapes of `orbis show --svg`, as elements that can be pressed.

const SVG = 'http://www.w3.org/2000/svg';
const FONTS = "'DejaVu Sans', Verdana, 'Noto Sans', 'Segoe UI', sans-serif";

function shape(name, attributes, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== '') made.setAttribute(key, value);
  }
  if (text !== null) made.textContent = text;
  return made;
}

const listed = (points) => points.map((point) => point.join(',')).join(' ');

function paint(each) {
  return { fill: each.fill || 'none', stroke: each.stroke, 'stroke-width': each.stroke ? each.width : null };
}

function element(each) {
  switch (each.kind) {
    case 'text':
      return shape('text', {
        x: each.x, y: each.y, 'font-size': each.size, fill: each.fill,
        'font-weight': each.bold ? 'bold' : null, 'text-anchor': each.anchor === 'start' ? null : each.anchor,
      }, each.text);
    case 'circle':
      return shape('circle', { cx: each.x, cy: each.y, r: each.radius, ...paint(each) });
    case 'rect':
      return shape('rect', { x: each.x, y: each.y, width: each.w, height: each.h, rx: each.radius || null, ...paint(each) });
    case 'curve': {
      const [start, ...rest] = each.points;
      return shape('path', { d: `M${start.join(' ')}C${rest.map((point) => point.join(' ')).join(' ')}`, ...paint(each) });
    }
    default:
      return shape(each.closed ? 'polygon' : 'polyline', {
        points: listed(each.points), ...paint(each), 'stroke-dasharray': each.dash || null,
        'stroke-linecap': each.dash ? 'butt' : null,
      });
  }
}

// `press` says for the name of a group what pressing it does, or nothing; `look` how it stands out: '', 'lit', 'open' or 'wrong';
// `label` what it is called if the scene does not say.
export function picture(scene, { press = () => null, look = () => '', label = (name) => name } = {}) {
  const svg = shape('svg', {
    viewBox: `0 0 ${scene.width} ${scene.height}`, role: 'group', 'aria-label': scene.title, 'font-family': FONTS,
    'stroke-linejoin': 'round', 'stroke-linecap': 'round', class: 'board',
  });
  svg.append(shape('rect', { width: scene.width, height: scene.height, fill: scene.background }));
  for (const group of scene.groups) {
    const made = shape('g', { 'data-name': group.name });
    made.append(...group.shapes.map(element));
    const action = press(group.name);
    if (action) {
      made.setAttribute('role', 'button');
      made.setAttribute('tabindex', '0');
      made.setAttribute('aria-label', group.title || label(group.name));
      made.setAttribute('class', `press ${look(group.name)}`.trim());
      made.append(shape('polygon', { points: listed(group.outline), class: 'hit' }));
      made.addEventListener('click', action);
      made.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); action(); }
      });
    } else if (group.title) {
      made.prepend(shape('title', {}, group.title));
    }
    svg.append(made);
  }
  return svg;
}

// Writes on each group what `badge` says of it. The elements that are pressed stay: one that is replaced between the
// press and its end would not hear it.
export function write(svg, scene, badge) {
  for (const group of scene.groups) {
    const text = badge(group.name);
    const made = svg.querySelector(`[data-name="${CSS.escape(group.name)}"]`);
    if (!made || made.dataset.badge === text || (!text && !made.dataset.badge)) continue;
    made.dataset.badge = text;
    made.querySelectorAll('.badge, .badge-text').forEach((each) => each.remove());
    if (made.hasAttribute('aria-label')) made.setAttribute('aria-label', text ? `${group.title}; ${text}` : group.title);
    if (text) for (const each of mark(group.outline, text, scene.width < 700)) made.insertBefore(each, made.querySelector('.hit'));
  }
}

// What taking something is worth: in the corner that a hexagon leaves free; of a god, on the edge of the card, above its
// words.
function mark(outline, text, narrow) {
  const xs = outline.map((point) => point[0]), ys = outline.map((point) => point[1]);
  const isCard = outline.length < 6;
  const size = narrow ? 13 : isCard ? 12 : 15;
  const width = 0.62 * size * text.length + 12, height = (isCard && !narrow ? 1.3 : 1.5) * size;
  const x = Math.max(...xs) - width + (isCard ? -4 : narrow ? -5 : 14), y = Math.min(...ys) + (!isCard ? 0 : narrow ? 4 : -height / 2);
  return [
    shape('rect', { x, y, width, height, rx: height / 2, class: 'badge' }),
    shape('text', { x: x + width / 2, y: y + 0.72 * height, 'font-size': size, 'font-weight': 'bold', 'text-anchor': 'middle', class: 'badge-text' }, text),
  ];
}

// Puts a picture in its place, and the focus back to what had it there.
export function place(svg, into) {
  const focused = into.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  into.replaceChildren(svg);
  if (focused) [...svg.querySelectorAll('[tabindex]')].find((each) => each.dataset.name === focused)?.focus();
}

export { shape };
