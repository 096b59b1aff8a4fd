import { Navigate, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { setLostPage } from './lost-page.ts';

/** Unknown paths lead back: below the dashboard to the dashboard, all others to the gate. A banner there says why. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  useEffect(() => setLostPage(true), []);
  return <Navigate to={pathname.startsWith('/dashboard') ? '/dashboard' : '/'} replace />;
}
