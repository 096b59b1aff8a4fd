import { Navigate, useLocation } from '@tanstack/react-router';

/** Unknown paths lead back: below the dashboard to the dashboard, all others to the gate. */
export function NotHere() {
  const { pathname } = useLocation();
  return <Navigate to={pathname.startsWith('/dashboard') ? '/dashboard' : '/'} replace />;
}
