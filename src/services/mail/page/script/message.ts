/** One message: headers, meeting, body in a sandboxed frame, attachments, source. */
export const MESSAGE = String.raw`
const bodyPolicy = window.trustedTypes?.createPolicy('mail-body', { createHTML: (text) => text });
const LONGEST_SOURCE = 1048576;

/** No scripts, no forms, no origin. Links can open a new window, which is not sandboxed. */
function bodyFrame(text) {
  const frame = h('iframe', { class: 'body', title: 'Message body', sandbox: 'allow-popups allow-popups-to-escape-sandbox', referrerpolicy: 'no-referrer' });
  frame.srcdoc = bodyPolicy ? bodyPolicy.createHTML(text) : text;
  return frame;
}

function bodyElements({ document: text, blocked, isShortened }) {
  return [
    blocked > 0 && h('p', { class: 'note' }, 'Remote content was blocked (' + blocked + ').'),
    isShortened && h('p', { class: 'note' }, 'Only the beginning of the body is shown. The raw source is complete.'),
    bodyFrame(text),
  ];
}

async function openMessage(id) {
  const at = turn;
  const path = '/messages/' + segment(id);
  const message = await found(api(path));
  if (!message) {
    byId('detail').replaceChildren(h('p', { class: 'note' }, 'The message was not found. It was deleted, or it was moved and has another URL now.'));
    return undefined;
  }
  const [body, attachments, meeting] = await Promise.all([
    ask('/mail' + path + '/body'),
    api(path + '/attachments?$select=id,name,contentType,size,isInline&$top=200'),
    meetingOf(message),
  ]);
  if (turn !== at) return undefined;
  drawMessage(message, body, attachments.value, meeting);
  if (!message.isRead) await markRead(message, true);
  return message;
}

function drawMessage(message, body, attachments, meeting) {
  const { subject } = message;
  document.title = (subject || '(no subject)') + ' - Mail - Cloudjar';
  byId('detail').replaceChildren(
    h('header', undefined,
      h('div', { class: 'actions' }, ...messageActions(message)),
      h('h1', undefined, subject || '(no subject)'),
      h('dl', undefined, ...headerLines(message)),
    ),
    ...meetingElements(message, body, meeting),
    attachmentElements(message, attachments),
    h('div', { id: 'content', class: 'content' }, ...bodyElements(body)),
  );
}

function messageActions(message) {
  const { id, isRead } = message;
  return [
    button('Back', () => go(mailAddress()), { class: 'back' }),
    button(isRead ? 'Mark unread' : 'Mark read', () => attempt(() => toggleRead(message)), { id: 'toggle-read', title: 'u' }),
    button('Delete', () => attempt(() => removeMessage(message)), { title: 'Delete key' }),
    button('Raw source', () => attempt(() => showSource(message)), { id: 'source', 'aria-pressed': 'false', title: 'v' }),
    h('a', { class: 'button', href: '/owa/?' + new URLSearchParams({ ItemID: id, exvsurl: '1', viewmodel: 'ReadMessageItem' }), target: '_blank', rel: 'noopener' }, 'Pop out'),
  ];
}

function headerLines(message) {
  const lines = [
    ['From', personText(message.from)],
    ['Sent by', message.sender && message.sender.emailAddress.address !== message.from?.emailAddress.address ? personText(message.sender) : ''],
    ['To', message.toRecipients.map(personText).join(', ')],
    ['Cc', message.ccRecipients.map(personText).join(', ')],
    ['Bcc', message.bccRecipients.map(personText).join(', ')],
    ['Reply to', message.replyTo.map(personText).join(', ')],
  ].filter(([, text]) => text);
  return [
    ...lines.flatMap(([name, text]) => [h('dt', undefined, name), h('dd', undefined, text)]),
    h('dt', undefined, 'Received'),
    h('dd', undefined, EXACT.format(new Date(message.receivedDateTime))),
  ];
}

function attachmentElements({ id }, attachments) {
  const files = attachments.filter(({ isInline }) => !isInline);
  if (files.length === 0) return undefined;
  return h('ul', { class: 'attachments', 'aria-label': 'Attachments' }, ...files.map((file) => {
    const path = '/beta/me/messages/' + segment(id) + '/attachments/' + segment(file.id) + '/$value';
    const download = async () => save(await (await send(path)).arrayBuffer(), fileName(file));
    return h('li', undefined, button(file.name + ' (' + sizeText(file.size) + ')', () => attempt(download)));
  }));
}

/** The name of an attached item is its subject, without an extension. */
function fileName({ name, '@odata.type': type }) {
  const safe = (name || 'attachment').replace(/[\\/:*?"<>|\u0000-\u001f\u202a-\u202e\u2066-\u2069]/g, '_').slice(0, 150);
  return type?.endsWith('itemAttachment') && !/\.\w+$/.test(safe) ? safe + '.eml' : safe;
}

async function showSource(message) {
  const isShown = byId('source').getAttribute('aria-pressed') === 'true';
  const path = '/messages/' + segment(message.id);
  if (isShown) byId('content').replaceChildren(...bodyElements(await ask('/mail' + path + '/body')).filter(Boolean));
  else {
    const text = await (await send('/beta/me' + path + '/$value')).text();
    const part = text.slice(0, LONGEST_SOURCE);
    byId('content').replaceChildren(
      h('p', { class: 'note' }, part.length < text.length ? 'The first ' + sizeText(LONGEST_SOURCE) + '. ' : '', button('Save as .eml', () => save(text, 'message.eml'))),
      h('pre', { class: 'source', tabindex: '0' }, part),
    );
  }
  byId('source').setAttribute('aria-pressed', String(!isShown));
}

async function markRead(message, isRead) {
  await api('/messages/' + segment(message.id), { method: 'PATCH', body: { isRead } });
  message.isRead = isRead;
  list.messages = list.messages.map((each) => (each.id === message.id ? { ...each, isRead } : each));
  if (byId('toggle-read')) byId('toggle-read').textContent = isRead ? 'Mark unread' : 'Mark read';
  if (shown.isAlone) return;
  drawList();
  await loadFolders();
}

const toggleRead = (message) => markRead(message, !message.isRead);

/** Moves a message to the deleted items, from where it can be restored. A message that is already there is deleted. */
async function removeMessage({ id, parentFolderId, subject }) {
  const path = '/messages/' + segment(id);
  const bin = folders.find(({ wellKnownName }) => wellKnownName === 'deleteditems');
  if (bin?.id === parentFolderId) {
    await api(path, { method: 'DELETE' });
    say('Deleted: ' + subject);
  } else {
    await api(path + '/move', { method: 'POST', body: { destinationId: 'deleteditems' } });
    const undo = async () => {
      await api(path + '/move', { method: 'POST', body: { destinationId: parentFolderId } });
      say('Moved back: ' + subject);
      await refreshAll();
    };
    say('Moved to the deleted items: ' + subject, button('Undo', () => attempt(undo)));
  }
  if (shown.isAlone) return byId('detail').replaceChildren(h('p', { class: 'note' }, 'The message was deleted.'));
  list.messages = list.messages.filter((each) => each.id !== id);
  go(mailAddress());
  await loadFolders();
}
`;
