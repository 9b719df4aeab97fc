import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { openSettings } from '../../kernel/settings/index.ts';
import { authenticate } from './access/authenticate.ts';
import { prepareCall } from './api/handle.ts';
import { Operations } from './api/operations.ts';
import { beginLine } from './delta/line.ts';
import { forgetRemovals } from './delta/removals.ts';
import { copyMessages } from './folders/copy.ts';
import { purgeFolder } from './folders/purge.ts';
import { markMessages } from './folders/read-state.ts';
import type { MailJar } from './jar.ts';
import { MAIL_OPERATIONS } from './operations.ts';
import { mailRoutes } from './routes.ts';
import { mailRelay } from './sending/relay.ts';
import { routeMail } from './sending/route.ts';
import { MAIL_SETTINGS } from './settings-table.ts';

export function openMail(jar: Jar): OpenService & { readonly jar: MailJar } {
  const settings = openSettings(MAIL_SETTINGS, jar);
  const own: MailJar = { ...jar, settings, operations: new Operations(MAIL_OPERATIONS) };
  return {
    jar: own,
    routes: mailRoutes,
    steps: [authenticate, prepareCall],
    settings,
    work: [routeMail, forgetRemovals, purgeFolder, copyMessages, markMessages],
    policies: [mailRelay],
    stateReplaced: () => beginLine(jar.store),
  };
}
