import { ADDRESS } from './address.ts';
import { API } from './api.ts';
import { CALENDAR } from './calendar.ts';
import { DOM } from './dom.ts';
import { LIST } from './list.ts';
import { MAIN } from './main.ts';
import { MEETING } from './meeting.ts';
import { MESSAGE } from './message.ts';
import { SIGN_IN } from './sign-in.ts';

/** The script of the mail page: a single file, without a framework or third-party code. */
export const PAGE_SCRIPT = `'use strict';
(() => {
${[API, SIGN_IN, DOM, ADDRESS, LIST, MESSAGE, MEETING, CALENDAR, MAIN].join('')}
})();
`;
