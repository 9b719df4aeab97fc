import { Gauge } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'limits',
  title: 'Limits',
  group: 'jar',
  letter: 'l',
  icon: Gauge,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
