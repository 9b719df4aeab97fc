import { Inbox } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'inboxes',
  title: 'Inboxes',
  group: 'jar',
  letter: 'i',
  icon: Inbox,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
