import { Questions } from '../../kernel/delivery/index.ts';
import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { openSettings } from '../../kernel/settings/index.ts';
import { beginLine } from './delta/line.ts';
import type { MailJar } from './jar.ts';
import { MAIL_PATH } from './page/names.ts';
import { MAIL_SETTINGS } from './settings-table.ts';
import { openDoor } from './smtp/door.ts';

/** Opens the SMTP port. All other code is loaded with the first request, mail or work item. */
export async function openMail(jar: Jar): Promise<OpenService & { readonly jar: MailJar }> {
  const settings = openSettings(MAIL_SETTINGS, jar);
  const own: MailJar = { ...jar, settings, questions: new Questions() };
  const door = await openDoor(own);
  jar.addresses.smtpPort = door.port;
  return {
    jar: own,
    code: async () => (await import('./code.ts')).mailCode(settings),
    announce: { name: 'mail', text: `smtp://${jar.config.host}:${door.port}`, page: `${MAIL_PATH}/` },
    stateReplaced: () => beginLine(jar.store),
    close: () => door.close(),
  };
}
