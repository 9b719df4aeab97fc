import { Table2 } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'datasets',
  title: 'Push datasets',
  group: 'services',
  service: 'datasets',
  icon: Table2,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
