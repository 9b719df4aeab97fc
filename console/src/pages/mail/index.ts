import { Mail } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'mail',
  title: 'Mail',
  group: 'services',
  service: 'mail',
  icon: Mail,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
