import { Link } from '@tanstack/react-router';
import { PatientName } from '#web/panel/features/queue/index.ts';
import css from './ambulatory.module.css';

interface PatientLinkProps {
  userCode: string;
  userId: string;
  name: string;
}

/** A patient's name; it opens the details. */
export function PatientLink({ userCode, userId, name }: PatientLinkProps) {
  return (
    <Link to="/dashboard/patient-details" search={{ user: userCode, episode: userId }} className={css.open}>
      <PatientName name={name} />
    </Link>
  );
}
