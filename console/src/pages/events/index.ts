import { Radio } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'events',
  title: 'Events',
  group: 'services',
  service: 'events',
  letter: 'e',
  icon: Radio,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
