/** Draws the page, shows what its URL names, refreshes it, and handles the keyboard. */
export const MAIN = `
const POLL_SECONDS = 3;
const KEYS = [
  ['j / k', 'next or previous message'],
  ['Enter', 'open'],
  ['Esc', 'back to the list'],
  ['/', 'search'],
  ['u', 'mark read or unread'],
  ['v', 'raw source'],
  ['Delete', 'delete'],
  ['r', 'look for new mail'],
  ['g m, g c', 'mail, calendar'],
  ['?', 'these keys'],
];

let shown = {};
let account;
let opened;
/** Counts changes of the view: a response that arrives after the next change is dropped. */
let turn = 0;

function drawFrame() {
  const search = h('input', { id: 'search', type: 'search', placeholder: 'Search  ( / )', 'aria-label': 'Search', onkeydown(event) {
    if (event.key === 'Enter') go(mailAddress({ search: search.value.trim() }));
  } });
  document.body.replaceChildren(
    h('header', { id: 'top' },
      h('nav', { 'aria-label': 'Pages' }, link('/mail/', { id: 'to-mail' }, 'Mail'), link('/mail/calendar', { id: 'to-calendar' }, 'Calendar')),
      search,
      h('span', { id: 'account' }),
      button('Switch account', () => attempt(() => signIn('/mail/', 'select_account'))),
      button('?', toggleKeys, { 'aria-label': 'Keys' }),
    ),
    h('nav', { id: 'folders', 'aria-label': 'Folders' }),
    h('section', { id: 'list', 'aria-label': 'Messages' },
      button('', () => { byId('list').scrollTop = 0; attempt(refreshList); }, { id: 'fresh', hidden: true }),
      h('ul', { id: 'rows' }),
      h('p', { id: 'empty', class: 'note', hidden: true }),
      h('p', { id: 'more', class: 'note', hidden: true }, 'More…'),
    ),
    h('section', { id: 'agenda', 'aria-label': 'Agenda' }),
    h('main', { id: 'detail' }),
    h('dl', { id: 'keys', hidden: true }, ...KEYS.flatMap(([key, text]) => [h('dt', undefined, key), h('dd', undefined, text)])),
    h('p', { id: 'status', role: 'status' }),
  );
  new IntersectionObserver(([entry]) => entry.isIntersecting && attempt(loadMore), { root: byId('list') }).observe(byId('more'));
}

const toggleKeys = () => (byId('keys').hidden = !byId('keys').hidden);

function showProblem({ message, address }) {
  document.body.removeAttribute('data-alone');
  document.body.replaceChildren(h('main', { class: 'alone' },
    h('h1', undefined, 'Mail'),
    h('p', { class: 'problem', role: 'alert' }, message),
    button('Sign in', () => signIn(address, 'select_account')),
  ));
}

/** Shows the view of the URL. Parts that are already shown stay. */
async function show() {
  const at = ++turn;
  shown = readAddress();
  if (!byId('top')) drawFrame();
  document.title = (shown.tab === 'mail' ? 'Mail' : 'Calendar') + ' - Cloudjar';
  document.body.dataset.tab = shown.tab;
  document.body.toggleAttribute('data-alone', Boolean(shown.isAlone));
  document.body.toggleAttribute('data-open', Boolean(shown.message ?? shown.event));
  byId('search').value = shown.search ?? '';
  opened = undefined;
  if (!shown.message && !shown.event) byId('detail').replaceChildren(h('p', { class: 'note' }, 'Nothing is open. j and k move, Enter opens, ? shows all keys.'));
  if (shown.isLink && shown.message && !shown.isAlone) await resolveLink(shown.message);
  if (turn === at) await Promise.all([shown.isAlone ? undefined : showLists(), showItem()]);
}

/** Shows the folder of a linked message beside it. A link contains another form of the id than the list. */
async function resolveLink(message) {
  const at = turn;
  const answer = await found(api('/messages/' + segment(message) + '?$select=id,parentFolderId'));
  if (turn === at) shown = { ...shown, folder: answer?.parentFolderId ?? 'inbox', search: '', message: answer?.id ?? message };
}

async function showLists() {
  for (const [id, tab] of [['to-mail', 'mail'], ['to-calendar', 'calendar']])
    byId(id).toggleAttribute('aria-current', shown.tab === tab);
  drawFolders();
  await Promise.all([shown.tab === 'mail' ? loadList() : loadAgenda(), loadFolders(), loadAccount()]);
}

async function showItem() {
  const { message, event } = shown;
  if (event) await openEvent(event);
  if (message) opened = await openMessage(message);
}

async function loadAccount() {
  account ??= await api('?$select=displayName,mail,userPrincipalName');
  byId('account').textContent = account.mail ?? account.userPrincipalName;
}

async function refreshAll() {
  if (!byId('top') || shown.isAlone) return;
  await Promise.all([loadFolders(), shown.tab === 'mail' ? refreshList() : loadAgenda()]);
}

/** Polls while the page is visible. Keeps polling while the jar restarts. */
async function keepCurrent() {
  let isLost = false;
  for (;;) {
    await wait(POLL_SECONDS);
    if (document.hidden || !isSignedIn()) continue;
    try {
      await refreshAll();
      if (isLost) say('');
      isLost = false;
    } catch (error) {
      if (error instanceof Problem) showProblem(error);
      else say('The jar returned an error; trying again: ' + error.message);
      isLost = true;
    }
  }
}

let isGoing = false;
const PRESSED = {
  j: () => step(1),
  k: () => step(-1),
  Enter: () => list.messages[list.cursor] && go(mailAddress({ message: list.messages[list.cursor].id })),
  Escape: () => (byId('keys').hidden ? go(shown.tab === 'mail' ? mailAddress() : eventAddress()) : toggleKeys()),
  '/': () => byId('search').focus(),
  u: () => opened && attempt(() => toggleRead(opened)),
  v: () => opened && attempt(() => showSource(opened)),
  Delete: () => opened && attempt(() => removeMessage(opened)),
  r: () => attempt(refreshAll),
  '?': toggleKeys,
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !byId('top')) return;
  if (event.target.matches('input, textarea')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === 'Enter' && event.target !== document.body) return;
  const wasGoing = isGoing;
  isGoing = event.key === 'g';
  if (wasGoing && event.key === 'm') return go('/mail/');
  if (wasGoing && event.key === 'c') return go('/mail/calendar');
  const action = PRESSED[event.key];
  if (!action || (shown.isAlone && !['u', 'v', 'Delete'].includes(event.key))) return;
  event.preventDefault();
  action();
}

async function start() {
  const path = '/' + location.pathname.split('/').filter(Boolean).join('/');
  if (path.toLowerCase() === SIGNED_IN_PATH) return finishSignIn(new URLSearchParams(location.search));
  if (!isSignedIn()) return signIn(ownAddress());
  addEventListener('popstate', () => attempt(show));
  addEventListener('keydown', pressed);
  keepCurrent();
  await show();
}

attempt(start);
`;
