import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useGet } from "../../lib/base/response.ts";
import { withQuery } from "../../lib/base/api.ts";
import { nameOf, useNames } from "../../lib/person/people.ts";
import type { PageOf, User } from "../../lib/base/wire.ts";
import { Labeled } from "./field.tsx";

/** Delay between typing and searching, in milliseconds. */
const TYPING_PAUSE = 150;

/** The text, updated when typing pauses. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** A field to find a person of a role by name, as a combobox of the ARIA Authoring Practices Guide. */
export function PersonField(properties: {
  label: string;
  role: string;
  id: string | null;
  onPick: (id: string | null) => void;
  mistake?: string | undefined;
  hint?: string | undefined;
}) {
  const { label, role, id, onPick, mistake, hint } = properties;
  const name = useNames(id === null ? [] : [id]);
  const [typed, setTyped] = useState<string>();
  // Enter, pressed before the answer to what is typed has come.
  const [isWaiting, setWaiting] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const search = useSettled(typed ?? "").trim();
  const isOpen = typed !== undefined && typed.trim() !== "";
  const matches = useGet<PageOf<User>>(
    isOpen && search !== "" ? withQuery("users", { search, role }) : undefined,
  );
  const options = isOpen ? (matches.value?.data.slice(0, 8) ?? []) : [];

  const isAnswered = isOpen && search === typed.trim() && !matches.isLoading;

  const leave = (): void => {
    setTyped(undefined);
    setWaiting(false);
  };
  const pick = (person: User | undefined): void => {
    leave();
    onPick(person?.publicId ?? null);
  };
  const pickActive = (): void => {
    setWaiting(!isAnswered);
    const person = options[active];
    if (isAnswered && person !== undefined) pick(person);
  };
  useEffect(() => {
    if (isWaiting && isAnswered) pickActive();
  }, [isWaiting, isAnswered]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && isOpen) pickActive();
    else if (event.key === "ArrowDown") setActive(Math.min(active + 1, options.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };
  const shown = id === null ? "" : name(id);

  return (
    <Labeled
      id={`${listId}-input`}
      label={label}
      class="person-field"
      mistake={mistake}
      hint={hint}
    >
      <input
        id={`${listId}-input`}
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={options[active] && `${listId}-${active}`}
        autocomplete="off"
        spellcheck={false}
        placeholder="Type a name"
        value={typed ?? shown}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          setWaiting(false);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (typed?.trim() === "") pick(undefined);
          else if (!isWaiting) leave();
        }}
      />
      <ul id={listId} role="listbox" aria-label={label} hidden={!isOpen}>
        {options.map((person, index) => (
          <li
            key={person.publicId}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses its focus, which would close the list.
            onPointerDown={(event) => {
              event.preventDefault();
              pick(person);
            }}
          >
            {nameOf(person)}
            {!person.isActive && <small> inactive</small>}
          </li>
        ))}
        {isOpen && options.length === 0 && (
          <li role="option" aria-disabled="true" aria-selected="false">
            {matches.failure?.message ??
              (matches.isLoading || search === "" ? "Searching…" : "No people found.")}
          </li>
        )}
      </ul>
    </Labeled>
  );
}
