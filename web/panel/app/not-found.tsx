import { Navigate, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { setPageNotFound } from './lost-page.ts';

/** Redirects unknown paths: below a dashboard to that dashboard, all others to `/`. A banner there explains why. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  useEffect(() => setPageNotFound(true), []);
  const dashboard = (['/dashboard', '/sms-dashboard'] as const).find((path) => pathname.startsWith(path));
  return <Navigate to={dashboard ?? '/'} replace />;
}
