import { useRef, useState } from "preact/hooks";

/** Moving slots of a grid with mouse, touch (after a long press) or the arrow keys, in steps of 15 minutes. */

export interface Shift {
  minutes: number;
  days: number;
}

/** The step, in minutes. */
export const STEP = 15;

/** A press with less movement is a click, in pixels. */
const CLICK_RADIUS = 5;

/** A touch scrolls unless the finger rests this long, in milliseconds. */
const LONG_PRESS = 400;

export const NO_SHIFT: Shift = { minutes: 0, days: 0 };

interface Moving {
  key: string;
  shift: Shift;
  isByKeys: boolean;
}

interface Press {
  key: string;
  slot: HTMLElement;
  x: number;
  y: number;
  isMoving: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * @param move.shiftOf the shift for a distance in pixels, measured in the slot's grid.
 * @param move.keys the shift of each arrow key.
 * @param move.onMove is called at the end of a move that changed something.
 */
export function useMoving(move: {
  shiftOf: (slot: HTMLElement, x: number, y: number) => Shift;
  keys: Partial<Record<string, Shift>>;
  onMove: ((key: string, shift: Shift) => void) | undefined;
}) {
  const { shiftOf, keys, onMove } = move;
  const [moving, setMoving] = useState<Moving>();
  const press = useRef<Press | undefined>(undefined);
  /** The click that ends a move must not open the session. */
  const isClickOfMove = useRef(false);
  if (onMove === undefined) return { handlersOf: () => ({}), shiftOf: () => NO_SHIFT };

  const finish = ({ key, shift }: Moving): void => {
    setMoving(undefined);
    if (shift.minutes !== 0 || shift.days !== 0) onMove(key, shift);
  };
  const begin = (own: Press): void => {
    own.isMoving = true;
    setMoving({ key: own.key, shift: NO_SHIFT, isByKeys: false });
  };
  const release = (): void => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  const handlersOf = (key: string) => ({
    onPointerDown: (event: PointerEvent) => {
      isClickOfMove.current = false;
      if (event.button !== 0) return;
      const slot = event.currentTarget as HTMLElement;
      const own: Press = {
        ...{ key, slot, x: event.clientX, y: event.clientY, isMoving: false },
        timer: event.pointerType === "touch" ? setTimeout(() => begin(own), LONG_PRESS) : undefined,
      };
      press.current = own;
    },
    onPointerMove: (event: PointerEvent) => {
      const own = press.current;
      if (own === undefined || own.key !== key) return;
      const [x, y] = [event.clientX - own.x, event.clientY - own.y];
      if (!own.isMoving && Math.hypot(x, y) > CLICK_RADIUS) {
        if (own.timer !== undefined) return release();
        own.slot.setPointerCapture(event.pointerId);
        begin(own);
      }
      if (own.isMoving) setMoving({ key, shift: shiftOf(own.slot, x, y), isByKeys: false });
    },
    onPointerUp: () => {
      const isMoving = press.current?.isMoving === true;
      release();
      isClickOfMove.current = isMoving;
      if (isMoving && moving !== undefined) finish(moving);
    },
    onPointerCancel: () => {
      release();
      setMoving(undefined);
    },
    // A finger that moves a slot must not scroll.
    onTouchMove: (event: TouchEvent) => {
      if (press.current?.isMoving === true) event.preventDefault();
    },
    onClickCapture: (event: MouseEvent) => {
      if (isClickOfMove.current) event.stopPropagation();
      isClickOfMove.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = keys[event.key];
      const current = moving?.key === key ? moving.shift : NO_SHIFT;
      if (step !== undefined)
        setMoving({
          key,
          shift: { minutes: current.minutes + step.minutes, days: current.days + step.days },
          isByKeys: true,
        });
      else if (moving === undefined) return;
      else if (event.key === "Enter") finish(moving);
      else if (event.key === "Escape") setMoving(undefined);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onFocusOut: () => {
      if (moving?.isByKeys === true) setMoving(undefined);
    },
  });
  return {
    handlersOf,
    /** How far a slot is moved at the moment. */
    shiftOf: (key: string): Shift => (moving?.key === key ? moving.shift : NO_SHIFT),
  };
}
