/** The agenda of some days, starting today unless the URL has a date, and single events. */
export const CALENDAR = `
const AGENDA_DAYS = 30;
const AGENDA_DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const AGENDA_ALL_DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const MOST_EVENTS = 500;
/** The shown state of the list, to redraw it only after changes. */
let agenda;

/** The first day, at midnight in the browser's time zone. */
function agendaStart(days = 0) {
  const asked = new Date((shown.from ?? '') + 'T00:00');
  const start = Number.isNaN(asked.getTime()) ? jarNow() : asked;
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() + days);
  return start;
}

/** '2027-01-31', as in the URL. */
const dayText = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

const agendaLinks = () => h('nav', { class: 'actions', 'aria-label': 'Days' },
  link(agendaAddress(dayText(agendaStart(-AGENDA_DAYS))), undefined, 'Earlier'),
  link(agendaAddress(), undefined, 'Today'),
  link(agendaAddress(dayText(agendaStart(AGENDA_DAYS))), undefined, 'Later'));

async function loadAgenda() {
  const at = turn;
  const start = agendaStart();
  const query = new URLSearchParams({
    startDateTime: start.toISOString(),
    endDateTime: agendaStart(AGENDA_DAYS).toISOString(),
    $orderby: 'start/dateTime',
    $top: String(MOST_EVENTS),
  });
  const { value } = await api('/calendarView?' + query);
  if (turn !== at) return;
  const drawn = JSON.stringify([value, shown.event, shown.from]);
  if (drawn === agenda) return;
  agenda = drawn;
  const days = Map.groupBy(value, ({ start, isAllDay }) => (isAllDay ? AGENDA_ALL_DAY : AGENDA_DAY).format(moment(start)));
  byId('agenda').replaceChildren(agendaLinks(), ...[...days].map(([day, events]) =>
    h('section', undefined, h('h2', undefined, day), h('ul', undefined, ...events.map(agendaRow)))));
  if (value.length === 0) byId('agenda').append(h('p', { class: 'note' }, 'Nothing from ' + DAY.format(start) + ' to ' + DAY.format(agendaStart(AGENDA_DAYS - 1)) + '. Accepted invitations and events that are created by the API are listed here.'));
}

function agendaRow({ id, subject, start, isAllDay, isCancelled, location, responseStatus }) {
  const time = isAllDay ? 'all day' : TIME.format(moment(start));
  const isTentative = ['notResponded', 'tentativelyAccepted'].includes(responseStatus.response);
  return h('li', undefined, link(
    eventAddress(id),
    { class: 'row', 'aria-current': shown.event === id ? 'true' : undefined },
    h('span', { class: 'who' }, time),
    h('span', { class: 'subject' }, subject || '(no subject)', isCancelled && h('span', { class: 'mark' }, 'cancelled'), isTentative && h('span', { class: 'mark' }, 'tentative')),
    h('span', { class: 'preview' }, location?.displayName ?? ''),
  ));
}

async function openEvent(id) {
  const at = turn;
  const path = '/events/' + segment(id);
  const event = await found(api(path));
  if (!event) {
    byId('detail').replaceChildren(h('p', { class: 'note' }, 'The event is not in your calendar.'));
    return;
  }
  const body = await ask('/mail' + path + '/body');
  if (turn !== at) return;
  document.title = (event.subject || '(no subject)') + ' - Calendar - Cloudjar';
  byId('detail').replaceChildren(
    h('header', undefined,
      h('div', { class: 'actions' }, button('Back', () => go(eventAddress()), { class: 'back' })),
      h('h1', undefined, event.subject || '(no subject)'),
    ),
    h('section', { class: 'meeting', 'aria-label': 'Meeting' },
      event.isCancelled && h('p', { class: 'problem' }, 'The meeting was cancelled.'),
      h('dl', undefined,
        term('When', spanText(event.start, event.end, event.isAllDay)),
        term('Where', event.location?.displayName),
        term('Repeats', body.recurrence),
        term('Organizer', personText(event.organizer)),
        event.attendees.length > 0 && term('Attendees', h('ul', undefined, ...event.attendees.map((each) => attendeeRow(each, event)))),
      ),
      event.attendees.length > 0 && answerElements('/events/' + segment(event.id), event, () => openEvent(id)),
    ),
    h('div', { id: 'content', class: 'content' }, ...bodyElements(body).filter(Boolean)),
  );
}

/** Only the organizer knows the responses of other attendees. */
const attendeeRow = (attendee, { isOrganizer }) =>
  h('li', undefined, personText(attendee), isOrganizer && h('span', { class: 'mark' }, STATUS_TEXTS[attendee.status?.response] ?? 'no answer'));
`;
