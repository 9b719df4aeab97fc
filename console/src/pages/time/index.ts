import { Clock } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'time',
  title: 'Time',
  group: 'jar',
  letter: 'k',
  icon: Clock,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
