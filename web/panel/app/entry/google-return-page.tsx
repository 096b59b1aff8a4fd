import { useNavigate } from '@tanstack/react-router';
import { GoogleReturn } from '#web/panel/features/sign-in/google-return.tsx';
import { entryFrame } from './entry-frame.tsx';

/** `/sign-in/google`: where Google redirects the browser to; then the gate takes over. */
export function GoogleReturnPage() {
  const navigate = useNavigate();
  return <GoogleReturn {...entryFrame} onSignedIn={() => void navigate({ to: '/', replace: true })} />;
}
