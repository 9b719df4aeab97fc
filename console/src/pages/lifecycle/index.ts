import { Smartphone } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'lifecycle',
  title: 'App lifecycle',
  group: 'services',
  service: 'lifecycle',
  letter: 'a',
  icon: Smartphone,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
