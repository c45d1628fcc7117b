// What people read, in their language. The server has the words: the same catalogues as every command.

let table = {};
let language = 'en';
const formats = new Map(); // making one takes longer than using it a hundred times

export async function speak(name) {
  const answer = await fetch(`words/${name}.json`);
  if (!answer.ok) throw new Error(`words/${name}.json: ${answer.status}`);
  table = await answer.json();
  language = name;
  document.documentElement.lang = name;
}

export function spoken() { return language; }

export function say(key, values = {}) {
  const text = table[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function number(value, digits = 1) {
  const key = `${language} ${digits}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  return formats.get(key).format(value);
}

export function percent(share, digits = 1) {
  return `${number(100 * share, share === 0 || share === 1 ? 0 : digits)} %`;
}

// A chance as well as it is known: exact, with its interval, or not at all.
export function chance(candidate) {
  if (candidate.proved) return percent(candidate.win);
  if (!candidate.measured && candidate.visits < 20) return say('barely');
  const low = candidate.win - candidate.low, high = candidate.high - candidate.win;
  if (Math.abs(high - low) > 0.001) {
    return say('range', { low: number(100 * candidate.low), high: number(100 * candidate.high) }) + ' %';
  }
  return `${number(100 * candidate.win)} ± ${number(50 * (candidate.high - candidate.low))} %`;
}

export function fraction(text) {
  const [above, below] = text.split('/').map(Number);
  return below === undefined ? above : above / below;
}
