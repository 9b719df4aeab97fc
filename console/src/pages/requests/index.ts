import { Activity } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'requests',
  title: 'Requests',
  group: 'jar',
  letter: 'q',
  icon: Activity,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
