import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOutAndLeave } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { toast } from '#web/panel/ui/toasts.ts';

/** The sign-out button while the practice is being registered. */
export function SignOutCorner() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const out = useMutation({
    mutationFn: () => signOutAndLeave(cache),
    onError: () =>
      toast({ tone: 'red', title: t`You are still signed in`, text: t`The server could not be reached. Try again.` }),
  });
  return (
    <Button icon={SignOutIcon} busy={out.isPending} onClick={() => out.mutate()}>
      {t`Sign Out`}
    </Button>
  );
}
