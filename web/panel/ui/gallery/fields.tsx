import { useState } from 'react';
import { Combobox } from '#web/panel/ui/combobox.tsx';
import { CodeInput } from '#web/panel/ui/code-input.tsx';
import { Checkbox, SearchInput, Select, TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import css from './gallery.module.css';

const practices = ['Maple Street Pediatrics', 'Harbor Family Medicine', 'Cedar Dental Group'];

export function Fields() {
  const [typed, setTyped] = useState('');
  const [phone, setPhone] = useState('2125550101');
  const [code, setCode] = useState('');
  return (
    <div className={css.stack}>
      <SearchInput label="Search name" placeholder="Search name" keyHint="/" />
      <TextInput label="First name" placeholder="Placeholder" hint="As on the insurance card" />
      <TextInput label="Email Address" error="Invalid email" defaultValue="maria@" />
      <TextInput label="Disabled" disabled value="Maple Pediatrics" />
      <PhoneInput label="Mobile number" value={phone} onChange={setPhone} />
      <PhoneInput label="Mobile number, large" size="l" value={phone} onChange={setPhone} />
      <CodeInput label="Verification Code" value={code} onChange={setCode} />
      <Combobox
        label="Practice"
        value={typed}
        onType={setTyped}
        choices={practices.filter((name) => name.toLowerCase().includes(typed.toLowerCase()))}
        keyOf={(name) => name}
        show={(name) => name}
        onChoose={setTyped}
        listLabel="Practices found"
        status=""
      />
      <Select label="Reason">
        <option>Seen</option>
        <option>No-show</option>
      </Select>
      <TextArea label="Message to patient" />
      <Checkbox label="Sound on a new patient" hint="Plays on this machine" defaultChecked />
      <Checkbox label="Auto-invite" toggle defaultChecked />
      <Checkbox label="Privacy mode" toggle />
    </div>
  );
}
