/** Style and script of the API pages. Both are constant, because the pages' Content-Security-Policy allows them by hash. */

export const DOCS_STYLE = `
body { place-items: start center; }
main { width: min(72rem, calc(100vw - 2rem)); margin: 1rem 0; padding: 1.5rem 2rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
h3 { font-size: .9rem; margin: 1rem 0 .25rem; }
a { color: var(--mark); }
#find { position: sticky; top: 0; padding: .5rem 0; background: var(--paper); z-index: 1; }
#find label { margin: 0; }
#find input { font-weight: 400; }
.op { scroll-margin-top: 8rem; }
.op > div { scroll-margin-top: 10.5rem; }
#find p { margin: .25rem 0 0; min-height: 1.5em; }
ul { list-style: none; margin: 0; padding: 0; }
.op { border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.4rem; }
.op > summary, .op > a { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .4rem 0; cursor: pointer; color: inherit; text-decoration: none; }
.op > a:hover code, .op > summary:hover code { text-decoration: underline; }
.op code { overflow-wrap: anywhere; }
.op span { color: var(--soft); }
.op > div { padding: 0 0 1rem 1rem; border-left: 3px solid var(--line); margin: 0 0 .5rem .25rem; padding-left: 1rem; }
.method { font: 600 .75rem/1.5 ui-monospace, monospace; min-width: 4.2rem; color: var(--mark); }
.method[data-method=DELETE] { color: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td, th { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
pre { margin: .25rem 0; padding: .6rem .75rem; background: var(--back); border-radius: 8px; overflow: auto; max-height: 30rem; font: .85rem/1.45 ui-monospace, monospace; white-space: pre; }
button.copy { width: auto; margin: 0; padding: .2rem .7rem; font-size: .85rem; }
details details > summary { cursor: pointer; font-size: .9rem; }
[hidden] { display: none !important; }
`;

export const DOCS_SCRIPT = `
const find = document.getElementById('find');
const input = find.querySelector('input');
const status = find.querySelector('p');
const textOf = (element) => {
  const head = element.querySelector('summary, a');
  const place = element.querySelector('[id]');
  return (head.textContent + ' ' + (place ? place.id : head.hash)).toLowerCase();
};
const rows = [...document.querySelectorAll('.op')].map((element) => ({ element, text: textOf(element) }));
const groups = [...document.querySelectorAll('.group')];
const wasOpen = new Map(groups.map((group) => [group, group.open]));
find.hidden = false;
function search() {
  const words = input.value.toLowerCase().split(' ').filter(Boolean);
  let count = 0;
  for (const { element, text } of rows) {
    const isFound = words.every((word) => text.includes(word));
    element.hidden = !isFound;
    if (isFound) count++;
  }
  for (const group of groups) {
    group.hidden = !group.querySelector('.op:not([hidden])');
    if (group.tagName === 'DETAILS') group.open = words.length > 0 || wasOpen.get(group);
  }
  status.textContent = words.length > 0 ? count + (count === 1 ? ' operation' : ' operations') : '';
}
function show() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const operation = target && target.closest('.op');
  if (!operation) return;
  if (operation.hidden) { input.value = ''; search(); }
  for (let each = operation; each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true;
  operation.scrollIntoView();
}
input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  const first = rows.find(({ element }) => !element.hidden);
  if (event.key === 'Escape') { input.value = ''; search(); }
  else if (event.key === 'Enter' && first) {
    const link = first.element.querySelector('a[href]');
    if (first.element.tagName === 'LI') location.href = link.href;
    else { first.element.open = true; first.element.querySelector('summary').focus(); }
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === input) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!event.target.matches || !event.target.matches('button.copy')) return;
  const text = event.target.parentElement.querySelector('pre').textContent;
  navigator.clipboard.writeText(text).then(() => { event.target.textContent = 'Copied'; }, () => { event.target.textContent = 'Not copied'; });
});
addEventListener('hashchange', show);
search();
show();
`;
