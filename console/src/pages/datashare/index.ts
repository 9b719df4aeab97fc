import { Share2 } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'datashare',
  title: 'Data sharing',
  group: 'services',
  service: 'datashare',
  letter: 'h',
  icon: Share2,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
