// A form for a tile that the set lacks. It makes the description that a position file takes.

import { button, el, replace } from './dom.js';
import { COLOURS, disc } from './tiles.js';
import { say } from './words.js';

// What each effect has besides its name, and how files call it.
const EFFECTS = {
  none: ['none'], farm: ['farm', 'colours'], village: ['village', 'number'], forest: ['forest', 'number', 'colours'],
  volcano: ['volcano', 'number', 'colours'], irrigation: ['irrigation', 'colours'], temple: ['temple', 'number'],
  proselytism: ['gain', 'number', 'colours'], sacred_stone: ['stone'],
};

// `action` is the word on the button; `take` gets the description.
export function ownTile(action, take, likely = 1) {
  const field = (name, input) => el('label', {}, say(name), input);
  const choice = (values, chosen = null) => el('select', {}, values.map(([value, text]) => el('option', { value, selected: value === chosen }, text)));
  const colour = choice(['red', 'green', 'blue', 'yellow', 'white'].map((word) => [word, say(`colour_${word[0]}`)]));
  const level = choice([['L1', '1'], ['L2', '2'], ['L3', '3']], `L${likely}`);
  const cost = letters('cost', [...COLOURS, 'a']);
  const effect = choice(Object.keys(EFFECTS).map((name) => [name, say(`effect_${name}`)]));
  const number = el('input', { type: 'number', value: '1', min: '1', max: '9' });
  const colours = letters('of_colours', [...COLOURS, 'a']);
  const points = el('input', { type: 'number', value: '0', min: '0', max: '20' });
  const mystic = el('input', { type: 'number', min: '0', max: '99' });
  const star = choice([['', say('star_none')], ['white-star', say('star_white')], ['purple-star', say('star_purple')]]);
  const many = field('of_number', number);
  const fit = () => { const parts = EFFECTS[effect.value]; many.hidden = !parts.includes('number'); colours.place.hidden = !parts.includes('colours'); };
  effect.addEventListener('change', fit);
  fit();
  const described = () => {
    const [name, ...parts] = EFFECTS[effect.value];
    return [colour.value, level.value, cost.value ? `cost ${cost.value}` : 'free', name, parts.includes('number') ? number.value || '1' : '',
      parts.includes('colours') ? colours.value : '', `${points.value || 0}cp`, mystic.value ? `mystic ${mystic.value}` : '', star.value].filter(Boolean).join(' ');
  };
  return el('form', { class: 'own', onsubmit: (event) => { event.preventDefault(); take(described()); } },
    field('colour', colour), field('level', level), cost.place, field('effect', effect), many, colours.place,
    field('points', points), field('mystic', mystic), field('star', star), el('button', { type: 'submit' }, say(action)));
}

// Letters of colours, one tap each.
function letters(name, offered) {
  const made = { value: '', place: el('div', { class: 'worshipers', role: 'group', 'aria-label': say(name) }) };
  const word = (letter) => (letter === 'a' ? say('any_colour') : say(`colour_${letter}`));
  const draw = () => {
    const focused = made.place.contains(document.activeElement) ? document.activeElement.dataset.letter : null;
    replace(made.place,
      el('p', { class: 'note' }, `${say(name)}: `, made.value ? made.value.split('').map(disc) : '–'),
      el('p', { class: 'options' }, offered.map((letter) => button(disc(letter), () => { made.value += letter; draw(); },
        { 'aria-label': say('one_more', { colour: word(letter) }), 'data-letter': letter })),
      made.value ? button(say('clear'), () => { made.value = ''; draw(); }, { 'data-letter': 'none' }) : null));
    if (focused) [...made.place.querySelectorAll('button')].find((each) => each.dataset.letter === focused)?.focus();
  };
  draw();
  return made;
}
