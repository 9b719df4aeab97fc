import { Building2 } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'business',
  title: 'Business',
  group: 'services',
  service: 'business',
  letter: 'b',
  icon: Building2,
  view: () => import('./view.tsx'),
  palette: () => import('./palette.ts'),
});
