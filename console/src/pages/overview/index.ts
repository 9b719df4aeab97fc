import { LayoutDashboard } from 'lucide-react';
import { definePage } from '../../shared/page.ts';

export const page = definePage({
  path: 'overview',
  title: 'Overview',
  group: 'jar',
  letter: 'o',
  icon: LayoutDashboard,
  view: () => import('./view.tsx'),
});
