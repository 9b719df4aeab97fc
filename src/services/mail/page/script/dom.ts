/** Creates elements and text nodes. All external data becomes text nodes; the page never parses HTML. */
export const DOM = `
/** h('a', { href, class: 'row' }, 'text', child): values that are undefined or false are left out. */
function h(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== false && child !== null));
  return element;
}

const button = (label, onclick, properties) => h('button', { type: 'button', onclick, ...properties }, label);
const byId = (id) => document.getElementById(id);

/** The jar's time, which can differ from the machine's. */
const skew = Number(document.body.dataset.now) - Date.now();
const jarNow = () => new Date(Date.now() + skew);

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const SPAN = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const WHOLE_DAYS = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });
const DAY_MS = 86400000;

const isSameDay = (a, b) => a.toDateString() === b.toDateString();
/** The time for today, the date for other days; the exact time on hover. */
function timeElement(text) {
  const date = new Date(text);
  return h('time', { datetime: text, title: EXACT.format(date) }, (isSameDay(date, jarNow()) ? TIME : DAY).format(date));
}

/** The API gives times in UTC without a Z. */
const moment = ({ dateTime }) => new Date(dateTime.slice(0, 19) + 'Z');

function spanText(start, end, isAllDay) {
  if (!start) return '';
  const from = moment(start);
  const to = end ? moment(end) : from;
  if (isAllDay) return WHOLE_DAYS.formatRange(from, new Date(Math.max(from.getTime(), to.getTime() - DAY_MS))) + ', all day';
  return to > from ? SPAN.formatRange(from, to) : SPAN.format(from);
}

const personText = (recipient) => {
  const { name, address } = recipient?.emailAddress ?? {};
  return name && name !== address ? name + ' <' + address + '>' : (address ?? '');
};
const nameOf = (recipient) => recipient?.emailAddress?.name || recipient?.emailAddress?.address || '(no sender)';

const sizeText = (bytes) =>
  bytes < 1024 ? bytes + ' bytes' : bytes < 1048576 ? (bytes / 1024).toFixed(1) + ' KB' : (bytes / 1048576).toFixed(1) + ' MB';

/** Shows a status line at the bottom, with an optional button such as Undo. */
function say(text, action) {
  byId('status').replaceChildren(text, ...(action ? [' ', action] : []));
}

/** Runs an action of the user and shows its error. */
function attempt(action) {
  return action().catch((error) => {
    if (error instanceof Problem) showProblem(error);
    else say(error.message);
  });
}

/** Saves bytes as a file, with a type that browsers never show, whatever the file name is. */
function save(bytes, name) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
`;
