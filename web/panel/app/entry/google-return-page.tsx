import { useNavigate } from '@tanstack/react-router';
import { GoogleReturn } from '#web/panel/features/sign-in/google-return.tsx';
import { frame } from './entry-frame.tsx';

/** `/sign-in/google`: where Google sends the browser back to; the gate leads on. */
export function GoogleRoom() {
  const navigate = useNavigate();
  return <GoogleReturn {...frame} onSignedIn={() => void navigate({ to: '/', replace: true })} />;
}
