import { PERMISSIONS } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { protect } from "../state/options.ts";
import { togglePermission } from "../state/permissions.ts";
import { Check } from "./check.tsx";
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { into } from "./into-signal.ts";
import { PasswordField } from "./password-field.tsx";

/** The password of protected files, and what they allow. */
export function ProtectPanel() {
  const { password, repeated, isShown, restriction, allowed } = protect;
  return (
    <>
      <PasswordField
        id="protect-password"
        label={t("protect.password")}
        hint={t("protect.lost")}
        value={password.value}
        onType={into(password)}
        isShown={isShown}
        input={{ autocomplete: "new-password" }}
      />
      {!isShown.value && (
        <Field
          id="protect-repeated"
          label={t("protect.repeat")}
          value={repeated.value}
          onType={into(repeated)}
          input={{ type: "password", autocomplete: "new-password" }}
        />
      )}
      <Choice
        name="restriction"
        label={t("protect.restriction")}
        value={restriction.value}
        options={[
          ["none", t("protect.none")],
          ["no-print", t("protect.noPrint")],
          ["no-changes", t("protect.noChanges")],
          ["custom", t("protect.custom")],
        ]}
        onChoose={into(restriction)}
      />
      {restriction.value === "custom" && (
        <fieldset class="checks">
          <legend class="visually-hidden">{t("protect.restriction")}</legend>
          {PERMISSIONS.map((name) => (
            <Check
              key={name}
              label={t(`permission.${name}`)}
              isChecked={allowed.value.includes(name)}
              onCheck={(isAllowed) => into(allowed)(togglePermission(allowed.value, name, isAllowed))}
            />
          ))}
        </fieldset>
      )}
      {restriction.value !== "none" && (
        <>
          <p class="hint">{t("protect.notALock")}</p>
          <PasswordField
            id="protect-owner"
            label={t("protect.owner")}
            hint={t("protect.ownerHint")}
            value={protect.ownerPassword.value}
            onType={into(protect.ownerPassword)}
            subject={t("protect.owner")}
            input={{ autocomplete: "new-password" }}
          />
        </>
      )}
    </>
  );
}
