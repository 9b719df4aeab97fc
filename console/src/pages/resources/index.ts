import { Layers } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'resources',
  title: 'Resources',
  group: 'services',
  service: 'resources',
  letter: 'r',
  icon: Layers,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
