/** Folders with their unread counts, and the list of messages: further pages load on scrolling, new mail appears without a reload. */
export const LIST = String.raw`
const PAGE_SIZE = 50;
const LISTED = 'id,subject,from,toRecipients,receivedDateTime,isRead,isDraft,hasAttachments,bodyPreview,importance,meetingMessageType';
const FOLDER_ORDER = ['inbox', 'drafts', 'sentitems', 'archive', 'junkemail', 'deleteditems'];

/** State of the list. 'key' identifies its folder and search. */
const list = { key: undefined, messages: [], next: undefined, fresh: [], isLoading: false, cursor: -1 };
let folders = [];

async function loadFolders() {
  const found = [];
  const visit = async (path, depth) => {
    for (let page = '/beta/me' + path + '?$top=200'; page; ) {
      const answer = await ask(page);
      const sorted = depth > 0 ? answer.value : [...answer.value].sort((a, b) => rank(a) - rank(b));
      for (const folder of sorted) {
        found.push({ ...folder, depth });
        if (folder.childFolderCount > 0) await visit('/mailFolders/' + segment(folder.id) + '/childFolders', depth + 1);
      }
      page = answer['@odata.nextLink'] && apiPath(answer['@odata.nextLink']);
    }
  };
  await visit('/mailFolders', 0);
  if (JSON.stringify(found) === JSON.stringify(folders) && byId('folders').firstChild) return;
  folders = found;
  drawFolders();
}

const rank = ({ wellKnownName }) => (FOLDER_ORDER.includes(wellKnownName) ? FOLDER_ORDER.indexOf(wellKnownName) : FOLDER_ORDER.length);
const isShownFolder = ({ id, wellKnownName }) => shown.folder === id || shown.folder?.toLowerCase() === wellKnownName;
const currentFolder = () => folders.find(isShownFolder);

function drawFolders() {
  byId('folders').replaceChildren(...folders.map((folder) => {
    const { id, displayName, wellKnownName, unreadItemCount, depth } = folder;
    const isCurrent = shown.tab === 'mail' && isShownFolder(folder);
    return link(
      mailAddress({ folder: wellKnownName ?? id, search: '' }),
      { 'aria-current': isCurrent ? 'page' : undefined, style: 'padding-left:' + (12 + 12 * Math.min(depth, 8)) + 'px' },
      h('span', { class: 'name' }, displayName),
      unreadItemCount > 0 && h('span', { class: 'count', title: unreadItemCount + ' unread' }, String(unreadItemCount)),
    );
  }));
}

function listPath() {
  const query = new URLSearchParams({ $top: String(PAGE_SIZE), $select: LISTED });
  if (shown.search) query.set('$search', '"' + shown.search.replaceAll('\\', '\\\\').replaceAll('"', '\\"') + '"');
  return '/beta/me/mailFolders/' + segment(shown.folder) + '/messages?' + query;
}

async function loadList() {
  const key = shown.folder + ' ' + shown.search;
  if (list.key === key) return drawList();
  const answer = await ask(listPath());
  Object.assign(list, { key, messages: answer.value, next: answer['@odata.nextLink'], fresh: [], cursor: -1 });
  byId('list').scrollTop = 0;
  drawList();
}

async function loadMore() {
  if (!list.next || list.isLoading) return;
  list.isLoading = true;
  const { key } = list;
  try {
    const answer = await ask(apiPath(list.next));
    if (list.key !== key) return;
    const known = new Set(list.messages.map(({ id }) => id));
    list.messages = [...list.messages, ...answer.value.filter(({ id }) => !known.has(id))];
    list.next = answer['@odata.nextLink'];
    drawList();
  } finally {
    list.isLoading = false;
  }
}

/** Reloads the first page. While the user has scrolled down, new mail waits behind a button, so that no row moves. */
async function refreshList() {
  if (list.key === undefined || shown.search) return;
  const { key } = list;
  const { value } = await ask(listPath());
  if (list.key !== key) return;
  const known = new Set(list.messages.map(({ id }) => id));
  list.fresh = value.filter(({ id }) => !known.has(id));
  if (list.fresh.length > 0 && byId('list').scrollTop > 0) return drawFresh();
  const ids = new Set(value.map(({ id }) => id));
  const end = value.at(-1)?.receivedDateTime ?? '';
  // A listed message that is newer than the end of the page but not on it has left the folder.
  const older = value.length < PAGE_SIZE ? [] : list.messages.filter((each) => !ids.has(each.id) && each.receivedDateTime <= end);
  const messages = [...value, ...older];
  list.fresh = [];
  if (JSON.stringify(messages) === JSON.stringify(list.messages)) return drawFresh();
  const at = list.messages[list.cursor]?.id;
  list.messages = messages;
  list.cursor = messages.findIndex(({ id }) => id === at);
  drawList();
}

function drawFresh() {
  const { length } = list.fresh;
  byId('fresh').hidden = length === 0;
  byId('fresh').textContent = length + ' new';
}

function drawList() {
  drawFresh();
  const focused = document.activeElement?.dataset?.message;
  byId('rows').replaceChildren(...list.messages.map(row));
  byId('empty').hidden = list.messages.length > 0;
  byId('empty').replaceChildren(...emptyState());
  byId('more').hidden = !list.next;
  if (focused) byId('rows').querySelector('[data-message="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true });
}

function row(message, at) {
  const { id, subject, isRead, hasAttachments, bodyPreview, importance, meetingMessageType, receivedDateTime } = message;
  const isOpen = shown.message === id;
  const isMeeting = meetingMessageType && meetingMessageType !== 'none';
  const marks = [isMeeting && 'meeting', hasAttachments && 'attachment', importance === 'high' && 'important'].filter(Boolean);
  return h('li', undefined, link(
    mailAddress({ message: id }),
    {
      class: ['row', !isRead && 'unread', at === list.cursor && 'cursor'].filter(Boolean).join(' '),
      'aria-current': isOpen ? 'true' : undefined,
      'data-message': id,
    },
    h('span', { class: 'who' }, senderText(message)),
    timeElement(receivedDateTime),
    h('span', { class: 'subject' }, subject || '(no subject)', ...marks.map((mark) => h('span', { class: 'mark' }, mark))),
    h('span', { class: 'preview' }, bodyPreview ?? ''),
  ));
}

const senderText = ({ from, isDraft, toRecipients }) =>
  from && !isDraft ? nameOf(from) : 'To: ' + (toRecipients.map(nameOf).join(', ') || 'nobody yet');

function emptyState() {
  if (shown.search) return ['Nothing found for ' + JSON.stringify(shown.search) + '. Try one word, or from:name, subject:word.'];
  const command = 'cloudjar mail send --to ' + (account?.mail ?? account?.userPrincipalName ?? 'admin@vendor.example') + ' --subject Hello';
  return ['No messages here. Mail arrives by SMTP, or with ', h('code', undefined, command)];
}

/** Moves the cursor. If a message is open, the one at the cursor replaces it. */
function step(by) {
  const open = list.messages.findIndex(({ id }) => id === shown.message);
  const from = open >= 0 ? open : list.cursor;
  const at = Math.max(0, Math.min(list.messages.length - 1, from + by));
  const next = list.messages[at];
  if (!next) return;
  list.cursor = at;
  if (open >= 0) go(mailAddress({ message: next.id }));
  else drawList();
  byId('rows').children[at]?.scrollIntoView({ block: 'nearest' });
  if (at > list.messages.length - 5) attempt(loadMore);
}
`;
