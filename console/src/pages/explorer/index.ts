import { Compass } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'explorer',
  title: 'API explorer',
  group: 'tools',
  letter: 'x',
  icon: Compass,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
