/** A skill as a treatment plan words it. `{name}` stands for the child's first name. */
interface Skill {
  category: string;
  short: string;
  statement: string;
  instructions: string;
}

/** A skill that is taught step by step: a task analysis. */
interface ChainedSkill extends Skill {
  steps: readonly string[];
}

export const singleSkills: readonly Skill[] = [
  {
    category: "Communication",
    short: "Two-word requests",
    statement:
      "{name} will ask for items and activities with two words, such as “more juice”, in 80% of opportunities over three sessions.",
    instructions:
      "Wait five seconds before a prompt. Model the two words once, then give what was asked for.",
  },
  {
    category: "Receptive language",
    short: "One-step directions",
    statement:
      "{name} will follow one-step directions given to the group in 80% of opportunities over three sessions.",
    instructions:
      "Say it once. Prompt from least to most after five seconds; no gestures in test trials.",
  },
  {
    category: "Social skills",
    short: "Turn taking",
    statement:
      "{name} will hand over the dice and wait for the next turn at 80% of turns in a board game with a peer.",
    instructions:
      "Use games of five minutes or less. Prompt the peer, not {name}, to remind of the turn.",
  },
  {
    category: "Joint attention",
    short: "Responding to a point",
    statement:
      "{name} will look at what another person points to within three seconds in 80% of opportunities.",
    instructions: "Point across the room, not at the table. Comment on what is seen as the reward.",
  },
  {
    category: "Self-advocacy",
    short: "Asking for help",
    statement:
      "{name} will ask an adult for help with a hard task within one minute in 80% of opportunities.",
    instructions:
      "Set up one task a session with a missing piece. Fade the help card from the table to the shelf.",
  },
  {
    category: "Safety",
    short: "Stopping at the curb",
    statement:
      "{name} will stop at the curb and look both ways without a reminder at 8 of 10 crossings.",
    instructions:
      "Practice on the same quiet street first. Hold hands until the stop is reliable with a gesture.",
  },
];

export const chainedSkills: readonly ChainedSkill[] = [
  {
    category: "Daily living",
    short: "Hand washing",
    statement: "{name} will wash hands without help, all steps in order, in 80% of opportunities.",
    instructions:
      "Teach from the last step backward. Prompt from behind, and fade from hand over hand to a touch of the elbow.",
    steps: [
      "Turns on the water",
      "Wets both hands",
      "Takes one push of soap",
      "Rubs palms and backs for ten seconds",
      "Rinses until the foam is gone",
      "Turns off the water",
      "Dries both hands with the towel",
    ],
  },
  {
    category: "Daily living",
    short: "Tooth brushing",
    statement:
      "{name} will brush teeth without help in 80% of opportunities, mornings and evenings, for two weeks.",
    instructions:
      "Use the two-minute song. Let {name} hold the mirror, and accept any order of the sides.",
    steps: [
      "Puts toothpaste on the brush",
      "Brushes the upper teeth",
      "Brushes the lower teeth",
      "Spits and rinses",
      "Puts the brush back",
    ],
  },
  {
    category: "School readiness",
    short: "Unpacking the backpack",
    statement:
      "{name} will unpack the backpack within three minutes and without a prompt on 80% of mornings.",
    instructions:
      "Hang the picture strip inside the locker. Point to the strip instead of saying the step.",
    steps: [
      "Hangs the coat on the hook",
      "Takes out the folder",
      "Puts the folder in the tray",
      "Puts the lunch box on the shelf",
      "Sits down on the carpet",
    ],
  },
  {
    category: "Daily living",
    short: "Making a snack",
    statement:
      "{name} will make a snack of two ingredients with the picture recipe, in 80% of opportunities.",
    instructions:
      "Chain forward. Lay out everything for the first weeks, then leave out one thing to be fetched.",
    steps: [
      "Washes hands",
      "Takes the plate and the knife",
      "Spreads on both slices",
      "Puts the slices together",
      "Puts everything back",
    ],
  },
];
