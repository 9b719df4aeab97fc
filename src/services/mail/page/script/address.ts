/** Maps between URLs of the page and its view: every open item has a URL. */
export const ADDRESS = `
/** { tab: 'mail' | 'calendar', folder, search, message, from, event, isAlone } */
function readAddress() {
  const query = new Map([...new URLSearchParams(location.search)].map(([name, value]) => [name.toLowerCase(), value]));
  const path = '/' + location.pathname.toLowerCase().split('/').filter(Boolean).join('/');
  if (path === '/owa') {
    const id = query.get('itemid') ?? undefined;
    const isAlone = query.get('ispopout') !== '0';
    return (query.get('path') ?? '').toLowerCase().startsWith('/calendar')
      ? { tab: 'calendar', event: id, isAlone }
      : { tab: 'mail', message: id, isAlone, isLink: true };
  }
  if (path === '/mail/calendar') return { tab: 'calendar', from: query.get('from') ?? undefined, event: query.get('event') ?? undefined };
  return {
    tab: 'mail',
    folder: query.get('folder') ?? 'inbox',
    search: query.get('search') ?? '',
    message: query.get('message') ?? undefined,
  };
}

function mailAddress({ folder = shown.folder, search = shown.search, message } = {}) {
  const query = new URLSearchParams();
  if (folder && folder !== 'inbox') query.set('folder', folder);
  if (search) query.set('search', search);
  if (message) query.set('message', message);
  return '/mail/' + (query.size > 0 ? '?' + query : '');
}
function calendarAddress({ from, event }) {
  const query = new URLSearchParams();
  if (from) query.set('from', from);
  if (event) query.set('event', event);
  return '/mail/calendar' + (query.size > 0 ? '?' + query : '');
}
const eventAddress = (event) => calendarAddress({ from: shown.from, event });
const agendaAddress = (from) => calendarAddress({ from });

/** A link that changes the view without loading a page. Clicks with other buttons or modifier keys keep their default behaviour. */
const link = (address, properties, ...children) =>
  h('a', {
    href: address,
    onclick(event) {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(address);
    },
    ...properties,
  }, ...children);

function go(address) {
  if (address !== ownAddress()) history.pushState(null, '', address);
  attempt(show);
}
`;
