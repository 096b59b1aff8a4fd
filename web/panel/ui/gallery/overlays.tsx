import { useState } from 'react';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Countdown } from '#web/panel/ui/countdown.tsx';
import { ConfirmDialog, Dialog } from '#web/panel/ui/dialog.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { LanguagesIcon } from '#web/icons/languages.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { Menu, MenuDivider, MenuItem, MenuNote } from '#web/panel/ui/menu.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './gallery.module.css';

export function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm'>();
  const [until] = useState(() => Date.now() + 180_000);
  const close = () => setOpen(undefined);
  return (
    <div className={css.row}>
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('confirm')}>Confirm</Button>
      <Menu button={(props) => <IconButton {...props} label="More" icon={MoreIcon} />}>
        <MenuNote>
          <strong>Maple Pediatrics</strong>
        </MenuNote>
        <MenuDivider />
        <MenuItem icon={PrintIcon} onSelect={() => undefined}>
          Print
        </MenuItem>
        <MenuItem icon={LanguagesIcon} disabled onSelect={() => undefined}>
          Disabled
        </MenuItem>
      </Menu>
      <Button
        onClick={() => toast({ title: 'Invitation sent', text: 'The invitation was sent to the patient', seconds: 2 })}
      >
        Toast
      </Button>
      <Button
        onClick={() =>
          toast({
            tone: 'red',
            title: 'Error',
            text: "We couldn't send your SMS invite, please verify the phone number and try again",
          })
        }
      >
        Error toast
      </Button>
      <Button
        onClick={() =>
          toast({
            tone: 'blue',
            title: 'Moved to History',
            action: { label: 'Undo', run: () => undefined },
            seconds: 30,
          })
        }
      >
        Undo toast
      </Button>
      <span>
        Code expires in <Countdown until={until} />
      </span>
      {open === 'dialog' && (
        <Dialog title="Text a patient" onClose={close} footer={<Button variant="filled">Send</Button>}>
          <TextInput label="Mobile number" />
          <TextInput label="Name" />
        </Dialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Text 240 patients now?"
          confirm="Text 240 patients"
          danger
          onConfirm={close}
          onClose={close}
        >
          <p>Each of them gets the message at once. It cannot be taken back.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
