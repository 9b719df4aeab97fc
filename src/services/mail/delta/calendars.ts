import type { Answer } from '../../../kernel/http/index.ts';
import { presenter, refusing } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Filter } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { codeOf, containerId, optionsOf } from '../api/show.ts';
import { CALENDARS_CONTAINER } from '../calendar/calendars/change.ts';
import { usableCalendars } from '../calendar/calendars/find.ts';
import { calendarShape } from '../calendar/calendars/shape.ts';
import { shownCalendar } from '../calendar/calendars/view.ts';
import type { Calendar } from '../calendar/types.ts';
import { calendars } from '../collections.ts';
import { CHANGE_TYPES, checkOptions, pageSizeOf } from './options.ts';
import { type DeltaSource, roundAnswer } from './round.ts';
import { asFirst, roundOf } from './token.ts';

const KIND = 'calendars';
const DEFAULT_PAGE = 50;

/** `calendars/delta`: the calendars of a mailbox; in another user's mailbox, only those shared with the caller. */
export async function calendarsDelta(call: MailCall): Promise<Answer> {
  const round = await roundOf(call, KIND, CALENDARS_CONTAINER);
  const asked = asFirst(call, round);
  checkOptions(asked, 'Calendars', ['select']);
  return refusing(() => roundAnswer(call, calendarSource(asked), round, pageSizeOf(asked, DEFAULT_PAGE)), codeOf);
}

function calendarSource(call: MailCall): DeltaSource<Calendar> {
  const set = {
    shape: calendarShape,
    view: ({ value }: { readonly value: Calendar }) => ({
      '@odata.type': '#microsoft.graph.calendar',
      ...shownCalendar(call, value),
    }),
    always: ['id'],
  };
  return {
    kind: KIND,
    entity: 'calendar',
    collection: calendars,
    where: allOf(eq('mailbox', call.mailbox.id), usableFilter(call)),
    removed: eq('container', CALENDARS_CONTAINER),
    // Deletions are not reported in another user's mailbox: removal of a shared calendar makes the token expire, and removals of other
    // calendars are private.
    changeTypes: new Set(CHANGE_TYPES.filter((type) => !call.sharing || type !== 'deleted')),
    async rows(items) {
      const show = presenter(call, set, optionsOf(call));
      return (await show(items.map((value) => ({ key: '', etag: '', value })))).map((row) => [row]);
    },
    removedId: ({ mailbox, uid }) => containerId(mailbox, uid),
  };
}

function usableFilter(call: MailCall): Filter | undefined {
  const values = usableCalendars(call);
  return values && { op: 'in', field: 'uid', values };
}
