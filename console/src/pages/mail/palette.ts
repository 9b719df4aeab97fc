import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { messageAddress, SEARCHED } from './api.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [
    { title: 'Send a test mail', kind: 'Mail', address: `${addressOf('mail')}?new=mail` },
    { title: 'Mail to other domains', kind: 'Mail', address: addressOf('mail', 'outgoing') },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, SEARCHED);
    const { value } = await dataOf(
      control.GET('/_jar/mail/messages', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map((message) => ({
      title: message.subject || 'without a subject',
      kind: `Message to ${message.mailbox}`,
      address: messageAddress(message),
    }));
  },
};
