import { Zap } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'faults',
  title: 'Faults',
  group: 'jar',
  letter: 'f',
  icon: Zap,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
