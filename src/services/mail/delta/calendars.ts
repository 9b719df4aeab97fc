import type { Answer } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { containerId } from '../api/show.ts';
import { CALENDARS_CONTAINER } from '../calendar/calendars/change.ts';
import { shownCalendar } from '../calendar/calendars/view.ts';
import type { Calendar } from '../calendar/types.ts';
import { calendars } from '../collections.ts';
import { CHANGE_TYPES, checkOptions, pageSizeOf } from './options.ts';
import { type DeltaSource, roundAnswer } from './round.ts';
import { asFirst, roundOf } from './token.ts';

const KIND = 'calendars';
const USUAL_PAGE = 50;

/** `calendars/delta`: the calendars of a mailbox. */
export async function calendarsDelta(call: MailCall): Promise<Answer> {
  const round = await roundOf(call, KIND, CALENDARS_CONTAINER);
  const asked = asFirst(call, round);
  checkOptions(asked, 'Calendars', []);
  const source: DeltaSource<Calendar> = {
    kind: KIND,
    entity: 'calendar',
    collection: calendars,
    where: eq('mailbox', call.mailbox.id),
    removed: eq('container', CALENDARS_CONTAINER),
    changeTypes: new Set(CHANGE_TYPES),
    rows: async (items) =>
      items.map((calendar) => [{ '@odata.type': '#microsoft.graph.calendar', ...shownCalendar(asked, calendar) }]),
    removedId: ({ mailbox, uid }) => containerId(mailbox, uid),
  };
  return roundAnswer(call, source, round, pageSizeOf(asked, USUAL_PAGE));
}
