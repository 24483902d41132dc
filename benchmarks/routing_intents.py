"""Which intents of CLINC150 are answered without data or tools, and which are left out.

Fast: the request itself holds all that is needed, or general knowledge of language does.
Left out, because the label alone doesn't decide it: general knowledge that an assistant may answer
from memory or look up (recipes, visa rules, unit conversion), and replies that only mean something
after what was said before (yes, no, maybe, repeat). Everything else needs the user's own data, a
live source, a random draw, a setting or an action, and so does everything in BANKING77: its
requests come from customers about their accounts.
"""

CLINC_FAST = frozenset(
    {
        "greeting", "goodbye", "thank_you", "who_made_you", "what_is_your_name", "are_you_a_bot",
        "how_old_are_you", "where_are_you_from", "who_do_you_work_for", "what_can_i_ask_you",
        "do_you_have_pets", "what_are_your_hobbies", "fun_fact", "tell_joke", "meaning_of_life",
        "calculator", "definition", "spelling", "translate",
    }
)  # fmt: skip
CLINC_LEFT_OUT = frozenset(
    {
        "yes", "no", "maybe", "repeat", "oos",
        "recipe", "ingredients_list", "ingredient_substitution", "cook_time", "food_last",
        "calories", "nutrition_info", "meal_suggestion", "measurement_conversion",
        "oil_change_how", "tire_change", "jump_start", "improve_credit_score",
        "plug_type", "international_visa", "vaccines", "travel_suggestion", "carry_on", "timezone",
    }
)  # fmt: skip
