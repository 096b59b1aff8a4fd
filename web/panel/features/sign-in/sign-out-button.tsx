import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOutAndLeave } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';

export function SignOutButton() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const out = useMutation({ mutationFn: () => signOutAndLeave(cache) });
  return (
    <>
      <ErrorText error={out.error} />
      <Button size="l" block icon={SignOutIcon} busy={out.isPending} onClick={() => out.mutate()}>
        {t`Sign Out`}
      </Button>
    </>
  );
}
