import { addressOf, useSegments } from '../../shared/address.ts';
import { Page } from '../../shared/ui/layout.tsx';
import { Sections } from '../../shared/ui/sections.tsx';
import { Accounts } from './accounts/view.tsx';
import type { Section } from './api.ts';
import { Received } from './received/view.tsx';
import { Sent } from './sent/view.tsx';
import { Synchronizations } from './synchronizations/view.tsx';

const SECTIONS: readonly { readonly id: Section; readonly title: string }[] = [
  { id: 'synchronizations', title: 'Synchronizations' },
  { id: 'received', title: 'Received' },
  { id: 'sent', title: 'Sent' },
  { id: 'accounts', title: 'Accounts' },
];

const VIEWS = { synchronizations: Synchronizations, received: Received, sent: Sent, accounts: Accounts };

/** Both sides of all shares. */
export default function DataSharing() {
  const [segment] = useSegments('datashare');
  const { id: current } = SECTIONS.find(({ id }) => id === segment) ?? { id: 'synchronizations' as const };
  const View = VIEWS[current];
  return (
    <Page title="Data sharing" about="What was copied from providers to consumers, and when it is copied again." isFull>
      <Sections
        label="Data sharing"
        sections={SECTIONS.map(({ id, title }) => ({
          title,
          address: addressOf('datashare', id),
          isCurrent: id === current,
        }))}
      />
      <View key={current} />
    </Page>
  );
}
