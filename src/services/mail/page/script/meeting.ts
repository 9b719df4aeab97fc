/** Invitations: time, place, recurrence and changes, and the user's response through the event's actions. */
export const MEETING = `
const ANSWERS = [
  ['accept', 'Accept', 'accepted'],
  ['tentativelyAccept', 'Tentative', 'tentativelyAccepted'],
  ['decline', 'Decline', 'declined'],
];
const RESPONSES = {
  organizer: 'You are the organizer.',
  accepted: 'You accepted.',
  tentativelyAccepted: 'You accepted tentatively.',
  declined: 'You declined.',
};
const RESPONSE_NEWS = {
  meetingAccepted: ' accepted the meeting.',
  meetingTentativelyAccepted: ' accepted the meeting tentatively.',
  meetingDeclined: ' declined the meeting.',
};
const STATUS_TEXTS = { none: 'no answer', notResponded: 'no answer', organizer: 'organizer', accepted: 'accepted', tentativelyAccepted: 'tentative', declined: 'declined' };

const isRequest = ({ meetingMessageType }) => meetingMessageType === 'meetingRequest';

/** Path of the event through the message: for a meeting that the user handles as a delegate, the event is in another mailbox. */
const eventPath = ({ id }) => '/messages/' + segment(id) + '/event';

/** The event of an invitation; undefined if it no longer exists. */
const meetingOf = (message) => (isRequest(message) ? found(api(eventPath(message))) : undefined);

const term = (name, ...content) => (content.some(Boolean) ? [h('dt', undefined, name), h('dd', undefined, ...content)] : []);

function meetingElements(message, { recurrence }, event) {
  const { meetingMessageType: type, location, isAllDay } = message;
  if (!type || type === 'none') return [];
  const when = spanText(message.startDateTime, message.endDateTime, isAllDay);
  const before = spanText(message.previousStartDateTime, message.previousEndDateTime, isAllDay);
  const place = location?.displayName ?? '';
  const placeBefore = message.previousLocation?.displayName ?? '';
  const proposed = message.proposedNewTime;
  return [h('section', { class: 'meeting', 'aria-label': 'Meeting' },
    type === 'meetingCancelled' && h('p', { class: 'problem' }, 'The meeting was cancelled.'),
    RESPONSE_NEWS[type] && h('p', undefined, nameOf(message.from) + RESPONSE_NEWS[type]),
    message.isOutOfDate && h('p', { class: 'problem' }, 'This invitation is out of date.'),
    message.isDelegated && h('p', { class: 'note' }, message.meetingRequestType === 'principalWantsCopy' ? 'For your information: your delegates also have this invitation.' : 'The invitation was delegated to you.'),
    h('dl', undefined,
      term('When', when),
      before && before !== when && term('Before', h('s', undefined, before)),
      term('Where', place),
      placeBefore && placeBefore !== place && term('Before', h('s', undefined, placeBefore)),
      term('Repeats', recurrence),
      isRequest(message) && term('Organizer', personText(event?.organizer ?? message.from)),
      proposed && term('Proposed', spanText(proposed.start, proposed.end, isAllDay)),
    ),
    isRequest(message) && answerElements(eventPath(message), event, () => openMessage(message.id)),
  )];
}

function answerElements(path, event, redraw) {
  if (!event) return h('p', { class: 'note' }, 'The meeting is not in your calendar.');
  const { response } = event.responseStatus;
  if (event.isOrganizer || event.isCancelled) return h('p', { class: 'note' }, event.isCancelled ? 'The meeting was cancelled.' : RESPONSES.organizer);
  const comment = h('input', { id: 'comment', 'aria-label': 'Comment', placeholder: 'Comment for the organizer', maxlength: '2000' });
  const sends = h('input', { id: 'sends', type: 'checkbox', checked: true, onchange: () => (comment.disabled = !sends.checked) });
  const answer = async (action, label) => {
    const text = comment.value.trim();
    const body = sends.checked || !event.responseRequested ? (text ? { comment: text } : {}) : { sendResponse: false };
    await api(path + '/' + action, { method: 'POST', body });
    say(label);
    await redraw();
    await refreshAll();
  };
  return h('div', { class: 'answer' },
    RESPONSES[response] && h('p', { id: 'answered', role: 'status' }, RESPONSES[response]),
    event.responseRequested
      ? [comment, h('label', undefined, sends, ' Send the response')]
      : h('p', { class: 'note' }, 'The organizer did not request a response.'),
    h('div', { class: 'actions' }, ...ANSWERS.map(([action, label, value]) =>
      button(label, () => attempt(() => answer(action, RESPONSES[value])), { class: 'answer-button', 'aria-pressed': String(response === value) }))),
  );
}
`;
