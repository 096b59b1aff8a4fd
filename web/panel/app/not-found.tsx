import { Navigate, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { setPageNotFound } from './lost-page.ts';

/** Redirects unknown paths: below the dashboard to the dashboard, all others to `/`. A banner there explains why. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  useEffect(() => setPageNotFound(true), []);
  return <Navigate to={pathname.startsWith('/dashboard') ? '/dashboard' : '/'} replace />;
}
